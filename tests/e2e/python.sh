#!/usr/bin/env bash
# python.sh: the Python package says what the command says, and the example
# notebook runs; a wheel of it can be made and used.
. "$(dirname "$0")/lib.sh"
python=
for candidate in python3 /usr/bin/python3; do
  "$candidate" -c 'import matplotlib, nbclient, pandas' 2>/dev/null &&
    python=$candidate && break
done
[ -n "$python" ] || fail "no Python with pandas, matplotlib and nbclient"

inputs=()
for ranks in 4 9 16 25; do
  RANKSIGHT_PARAMS='size=small one' must_record "$ranks.trace" "$ranks" \
    "$examples/stencil2d" --size 8x12 --steps 5
  inputs+=("$ranks.trace")
done
expect_exit 0 "$ranksight" extrapolate "${inputs[@]}" --ranks 25 --symbolic \
  -o laws.trace
export RANKSIGHT_PREFIX=$build RANKSIGHT_COMMAND=$ranksight RANKSIGHT_BINARIES=$examples
export TRACES=4.trace:9.trace:16.trace:25.trace SYMBOLIC=laws.trace
export HOME=$folder PYTHONDONTWRITEBYTECODE=1
package=$RANKSIGHT_SOURCE/python

PYTHONPATH=$package "$python" "$package/tests/test_ranksight.py" >unit.txt 2>&1 ||
  fail "$(cat unit.txt)"

said=$("$python" "$RANKSIGHT_SOURCE/tests/bench/frame_speed.py" "$build" 1000 2>&1) &&
  [[ $said =~ ^1,0[0-9]*\ events ]] || fail "how long a frame takes: $said"

cp "$RANKSIGHT_SOURCE/examples/notebook/traces.ipynb" .
PYTHONPATH=$package "$python" - <<'PY' >notebook.txt 2>&1 || fail "$(cat notebook.txt)"
import nbclient, nbformat
notebook = nbformat.read("traces.ipynb", as_version=4)
nbclient.NotebookClient(notebook, timeout=600).execute()
shown = [kind for cell in notebook.cells if cell.cell_type == "code"
         for output in cell.outputs for kind in output.get("data", {})]
assert shown.count("text/html") >= 4, shown
assert shown.count("image/png") >= 1, shown
PY

cp -r "$package" source
(cd source && "$python" -c 'from setuptools import build_meta
print(build_meta.build_wheel(".."))') >wheel.txt 2>&1 || fail "$(cat wheel.txt)"
wheel=$(ls ranksight-*.whl)
"$python" -m zipfile -l "$wheel" | grep -q '^ranksight/py.typed' || fail "no py.typed"
(cd / && PYTHONPATH=$folder/$wheel "$python" -c "
import ranksight
assert '.whl' in ranksight.__file__, ranksight.__file__
assert ranksight.open('$folder/4.trace').ranks == 4") || fail "the wheel"
