# A Slurm of this test alone: two nodes, n1 and n2, that are this machine, with
# daemons and keys in the working directory. Sourced behind lib.sh; the end of the
# test stops its jobs and daemons.

# Why there can be none here; nothing where there can.
why_no_slurm() {
  local tool
  for tool in munged slurmctld slurmd srun sbatch; do
    PATH=$PATH:/usr/sbin command -v "$tool" >tool.txt ||
      { echo "$tool is not installed"; return; }
  done
}

# free_ports N: as many numbers.
free_ports() {
  python3 - "$1" <<'PY'
import socket, sys
held = [socket.socket() for _ in range(int(sys.argv[1]))]
for s in held:
    s.bind(("127.0.0.1", 0))
print(*(s.getsockname()[1] for s in held))
PY
}

# start COMMAND...: a daemon, in the foreground of its own.
start_daemon() {
  "$@" >>"daemons.txt" 2>&1 &
  background+=("$!")
}

# The processes that keep watch over a job, and outlive daemons that are gone.
steps_here() {
  local pid
  for pid in $(pgrep -x slurmstepd); do
    [ "$(readlink "/proc/$pid/cwd")" != "$PWD" ] || echo "$pid"
  done
}

stop_slurm() {
  have_ended() { [ -z "$(squeue -h 2>>daemons.txt)$(steps_here)" ]; }
  scancel -u "$(id -un)" 2>>daemons.txt
  wait_for have_ended
}

daemon_ended() {
  local pid
  for pid in "${background[@]}"; do kill -0 "$pid" 2>/dev/null || return 0; done
  return 1
}

# Fails where a daemon does not run here.
start_slurm() {
  local PATH=$PATH:/usr/sbin here host node ports
  here=$PWD host=$(hostname -s)
  read -r -a ports <<<"$(free_ports 3)"
  mkdir state run spool
  # munged wants its folders to be nobody else's to write.
  chmod 755 . run
  head -c 1024 /dev/urandom >munge.key
  chmod 400 munge.key
  start_daemon munged --foreground --key-file="$here/munge.key" \
    --socket="$here/run/munge" --pid-file="$here/run/munged.pid" \
    --log-file="$here/munged.log" --seed-file="$here/munge.seed"
  cat >slurm.conf <<CONF
ClusterName=test
SlurmctldHost=$host(127.0.0.1)
SlurmUser=$(id -un)
SlurmdUser=$(id -un)
AuthType=auth/munge
AuthInfo=socket=$here/run/munge
CryptoType=crypto/munge
ProctrackType=proctrack/pgid
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_Core
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
SlurmctldPort=${ports[0]}
StateSaveLocation=$here/state
SlurmdSpoolDir=$here/spool/%n
SlurmctldPidFile=$here/run/slurmctld.pid
SlurmdPidFile=$here/run/slurmd.%n.pid
SlurmctldLogFile=$here/slurmctld.log
SlurmdLogFile=$here/slurmd.%n.log
SlurmdParameters=config_overrides
ReturnToService=2
SchedulerParameters=batch_sched_delay=0,sched_min_interval=0
CONF
  for node in 1 2; do
    mkdir "spool/n$node"
    echo "NodeName=n$node NodeHostname=$host NodeAddr=127.0.0.1" \
      "Port=${ports[$node]} CPUs=8 State=UNKNOWN" >>slurm.conf
  done
  echo "PartitionName=all Nodes=ALL Default=YES State=UP OverSubscribe=FORCE:4" \
    >>slurm.conf
  : >cgroup.conf
  export SLURM_CONF=$here/slurm.conf
  trap 'stop_slurm; clean_up' EXIT
  is_up() { [ -S run/munge ] || daemon_ended; }
  wait_for is_up
  start_daemon slurmctld -D
  for node in n1 n2; do start_daemon slurmd -D -N "$node"; done
  are_idle() {
    [ "$(sinfo -h -N -t idle -o %N 2>&1 | sort -u | grep -c '^n[12]$')" = 2 ]
  }
  is_settled() { are_idle || daemon_ended; }
  wait_for is_settled
  are_idle
}
