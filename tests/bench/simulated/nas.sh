# The NAS benchmarks (NPB 3.4, MPI), built already, in simulated time. Sourced by
# accuracy.sh.
# A basic block takes a nanosecond (charged.c), which on the machine that this
# was written on it does within a factor of 3 in all of them.
# shellcheck shell=bash disable=SC2154
# PROGRAM CLASS SIZES...: the first four are forecast from. Fewer time steps
# than a class has where runs at hundreds of ranks would take hours.
nas_programs() {
  cat <<'LIST'
ep W 2 4 8 16 64 256
cg A 2 4 8 16 64 256
ft A 2 4 8 16 64
is A 2 4 8 16 64 256
lu A 2 4 8 16 64 256
mg S 4 8 16 32 64 128
bt A 4 9 16 25 100 400
sp A 4 9 16 25 100 400
LIST
}
nas_steps() {  # FOLDER; what LU, BT and SP read: 20, 10 and 10 steps
  sed 's/ 250$/ 20/' "$1/LU/inputlu.data.sample" >inputlu.data
  sed '1s/^200 /10 /' "$1/BT/inputbt.data.sample" >inputbt.data
  sed '1s/^400 /10 /' "$1/SP/inputsp.data.sample" >inputsp.data
}
nas_runs() {  # FOLDER
  local program class sizes ranks kind
  while read -r program class sizes; do
    for ranks in $sizes; do
      for kind in torus fat; do
        simulate $kind "$program" "$ranks" "$1/bin/$program.$class.x"
      done
    done
    echo "recorded $program after $SECONDS s"
  done < <(nas_programs)
}
of_nas() {  # KIND
  local program class sizes
  traces=()
  while read -r program class sizes; do
    # shellcheck disable=SC2086
    add_traces "$1" "$program" $sizes
  done < <(nas_programs)
}
nas() {  # FOLDER, built as docs/forecast-accuracy.md says
  local models all
  machines
  nas_steps "$1"
  nas_runs "$1"
  on_links "NAS from four sizes" of_nas
  of_nas torus && all=("${traces[@]}")
  of_nas fat && all+=("${traces[@]}")
  for models in classic normal-form; do
    forecasts "NAS, $models, no links" --models $models "${all[@]}"
  done
}
