# The NAS benchmarks (NPB 3.4, MPI) in simulated time. Sourced by accuracy.sh.
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
nas_build() {  # FOLDER, with CG, IS ... in it, which stays as it is
  local program class sizes
  local flags="-O2 -w -fsanitize-coverage=trace-pc"
  local runtime="$PWD/charged.o -Wl,--whole-archive \
$build/lib/libranksight-smpi.a -Wl,--no-whole-archive -lzstd -lstdc++ -lm -ldl"
  [ ! -e npb ] || return 0
  smpicc -O2 -c "$simulated/charged.c" -o charged.o
  cp -r "$1" npb.new
  cp npb.new/config/make.def.template npb.new/config/make.def
  mkdir -p npb.new/bin
  nas_programs | while read -r program class sizes; do
    make -C "npb.new/${program^^}" clean
    make -C "npb.new/${program^^}" "CLASS=$class" MPIFC=smpiff MPICC=smpicc \
      FFLAGS="$flags -fallow-argument-mismatch -fallow-invalid-boz" \
      CFLAGS="$flags -include $simulated/charged.h" \
      FMPI_LIB="$runtime" CMPI_LIB="$runtime"
  done >npb.log 2>&1
  mv npb.new npb
}
nas_steps() {  # what LU, BT and SP read: 20, 10 and 10 steps
  sed 's/ 250$/ 20/' npb/LU/inputlu.data.sample >inputlu.data
  sed '1s/^200 /10 /' npb/BT/inputbt.data.sample >inputbt.data
  sed '1s/^400 /10 /' npb/SP/inputsp.data.sample >inputsp.data
}
nas_runs() {
  local program class sizes ranks kind
  while read -r program class sizes; do
    for ranks in $sizes; do
      for kind in torus fat; do
        simulate $kind "$program" "$ranks" "npb/bin/$program.$class.x"
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
nas() {  # FOLDER
  local models all
  machines
  nas_build "$1"
  nas_steps
  nas_runs
  on_links "NAS from four sizes" of_nas
  of_nas torus && all=("${traces[@]}")
  of_nas fat && all+=("${traces[@]}")
  for models in classic normal-form; do
    forecasts "NAS, $models, no links" --models $models "${all[@]}"
  done
}
