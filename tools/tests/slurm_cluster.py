# SPDX-License-Identifier: BSD-2-Clause-Patent
"""A Slurm cluster of two nodes on this machine, in a temporary folder, for tests. It belongs to the user who starts it,
root or not, and uses no cgroups. Needs the programs of the Debian packages slurm-wlm and munge."""

import contextlib
import os
import pathlib
import pwd
import re
import shutil
import socket
import subprocess
import tempfile
import time

CONFIGURATION = """\
ClusterName=isovmaf
SlurmctldHost={host}(127.0.0.1)
SlurmctldPort={ports[0]}
SlurmUser={user}
SlurmdUser={user}
AuthType=auth/munge
AuthInfo=socket={folder}/munge.socket
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool-%n
SlurmctldPidFile={folder}/slurmctld.pid
SlurmdPidFile={folder}/slurmd-%n.pid
SlurmctldLogFile={folder}/slurmctld.log
SlurmdLogFile={folder}/slurmd-%n.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
JobAcctGatherType=jobacct_gather/none
AccountingStorageType=accounting_storage/none
MailProg=/bin/true
MpiDefault=none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SlurmdParameters=config_overrides
ReturnToService=2
KillWait={kill_wait}
SchedulerParameters=sched_interval=1,batch_sched_delay=0
GresTypes=gpu
NodeName=DEFAULT CPUs=16 RealMemory=1000 Gres=gpu:8 State=UNKNOWN
NodeName={nodes[0]} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[1]}
NodeName={nodes[1]} NodeHostname={host} NodeAddr=127.0.0.1 Port={ports[2]}
PartitionName=main Nodes=ALL Default=YES MaxTime=INFINITE State=UP
"""
NODES = ("first", "second")
# Slurm looks for the mounted version of cgroups unless one is named, and gives up where there is none, as in containers.
# None of the plugins above uses them.
CGROUPS = "CgroupPlugin=cgroup/v1\n"
LIMIT = 1200 # seconds to wait for what never comes: Meson would end the test later, and leave the daemons running
KILL_WAIT = 2 # seconds from the signal that asks a script to end to the one that kills it
DAEMONS = ("munged", "slurmctld", "slurmd")
ENDED = {"COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL", "PREEMPTED", "OUT_OF_MEMORY", "BOOT_FAIL"}


def missing():
    """Why there can be no cluster here; empty when there can."""
    search = os.environ.get("PATH", "") + ":/usr/sbin:/sbin"
    absent = [name for name in (*DAEMONS, "sbatch") if not shutil.which(name, path=search)]
    return f"there is no {absent[0]}: install slurm-wlm and munge" if absent else ""


def free_ports(count):
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for one in sockets:
            one.bind(("127.0.0.1", 0))
        return [one.getsockname()[1] for one in sockets]


class Cluster:
    """Started by `with`, and stopped with all its jobs."""

    def __enter__(self):
        with contextlib.ExitStack() as stack:
            self.user = pwd.getpwuid(os.geteuid()).pw_name
            self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="slurm-")))
            self.environment = {name: value for name, value in os.environ.items()
                                if not name.startswith(("SLURM_", "SBATCH_"))}
            self.environment |= {"SLURM_CONF": str(self.folder / "slurm.conf"),
                                 "PATH": os.environ["PATH"] + ":/usr/sbin:/sbin"}
            stack.callback(self.stop)
            self.daemons = []
            self.configure()
            self.start()
            self.stack = stack.pop_all()
        return self

    def __exit__(self, *error):
        self.stack.close()

    def configure(self):
        host = socket.gethostname().split(".")[0]
        self.folder.chmod(0o755)
        for name in ("state", "gpus"):
            (self.folder / name).mkdir()
        key = self.folder / "munge.key"
        key.touch(0o600)
        key.write_bytes(os.urandom(64))
        for i in range(8):
            (self.folder / "gpus" / str(i)).touch() # files that stand in for devices
        (self.folder / "gres.conf").write_text(f"NodeName={','.join(NODES)} Name=gpu File={self.folder}/gpus/[0-7]\n")
        (self.folder / "cgroup.conf").write_text(CGROUPS)
        (self.folder / "slurm.conf").write_text(
            CONFIGURATION.format(host=host, nodes=NODES, user=self.user, folder=self.folder, kill_wait=KILL_WAIT,
                                 ports=free_ports(1 + len(NODES))))

    def daemon(self, *command):
        log = open(self.folder / f"{len(self.daemons)}-{command[0]}.out", "wb")
        with log:
            self.daemons.append(subprocess.Popen(list(map(str, command)), env=self.environment, stdin=subprocess.DEVNULL,
                                                 stdout=log, stderr=log, start_new_session=True))

    def start(self):
        folder = self.folder
        self.daemon("munged", "--foreground", "--force", f"--key-file={folder}/munge.key",
                    f"--socket={folder}/munge.socket", f"--pid-file={folder}/munged.pid",
                    f"--seed-file={folder}/munge.seed", f"--log-file={folder}/munged.log")
        self.until(lambda: (folder / "munge.socket").exists(), "munged opened no socket")
        self.daemon("slurmctld", "-D")
        for node in NODES:
            self.daemon("slurmd", "-D", "-N", node)
        self.until(lambda: self.run("sinfo", "--noheader", "--Node", "--format=%t", check=False).split() == ["idle"] * len(NODES),
                   "the nodes did not become idle")

    def until(self, condition, failure):
        deadline = time.monotonic() + LIMIT
        while not condition():
            if time.monotonic() > deadline or any(daemon.poll() is not None for daemon in self.daemons):
                logs = "".join(f"\n{path.name}:\n{path.read_text()[-2000:]}" for path in
                               [*self.folder.glob("*.log"), *self.folder.glob("*.out")])
                raise AssertionError(f"{failure}{logs}")
            time.sleep(0.05)

    def stop(self):
        if len(self.daemons) > DAEMONS.index("slurmctld"):
            self.run("scancel", "--full", "--signal=KILL", f"--user={self.user}", check=False)
        for daemon in reversed(self.daemons):
            daemon.terminate()
            try:
                daemon.wait(timeout=60)
            except subprocess.TimeoutExpired:
                daemon.kill()
                daemon.wait()

    def run(self, *command, check=True, **options):
        """What a command of a user prints."""
        result = subprocess.run(list(map(str, command)), stdin=subprocess.DEVNULL, capture_output=True, text=True,
                                check=False, timeout=LIMIT, **{"env": self.environment, **options})
        if check and result.returncode != 0:
            raise AssertionError(f"{command} ended with code {result.returncode}: {result.stdout}{result.stderr}")
        return result.stdout

    def tasks(self, job):
        """What Slurm says of each task of a job."""
        return [task for task in self.all_tasks() if job in (task["JobId"], task.get("ArrayJobId"))]

    def all_tasks(self):
        text = self.run("scontrol", "--oneliner", "show", "job")
        return [dict(re.findall(r"(\w+)=(\S*)", line)) for line in text.splitlines() if line.startswith("JobId=")]

    def wait(self, job):
        """Waits until all tasks of a job have ended, and returns state, exit code and number of restarts of each task.
        Meanwhile tasks of all jobs that are queued again start in the next second, not after two minutes as Slurm's rule
        is: a node starts no job again in the second in which it ended the job. `sbatch --wait` would look every 10
        seconds."""
        deadline = time.monotonic() + LIMIT
        tasks, queued = self.tasks(job), {} # the second in which a task was seen to be queued again, by number and restarts
        while not all(task["JobState"] in ENDED for task in tasks):
            if time.monotonic() > deadline:
                raise AssertionError(f"job {job} does not end: {tasks}")
            for task in self.all_tasks():
                if task["Reason"] != "BeginTime":
                    continue
                seen = queued.setdefault((task["JobId"], task["Restarts"]), int(time.time()))
                if time.time() > seen + 1:
                    self.run("scontrol", "update", f"JobId={task['JobId']}", "StartTime=now", check=False)
            time.sleep(0.1)
            tasks = self.tasks(job)
        return [(task["JobState"], int(task["ExitCode"].split(":")[0]), int(task["Restarts"])) for task in tasks]
