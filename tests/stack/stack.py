"""What the scripts of this folder share: the suites as data, and how to enter a chroot."""
import dataclasses
import pathlib
import subprocess
import tomllib

HERE = pathlib.Path(__file__).resolve().parent
BUILD = HERE.parent.parent / "build" / "release"
INSIDE = "/opt/wavetank"  # where a chroot sees the build
EXTRA = "/opt/wavetank-libraries"  # what the build needs and the chroot's release does not have
RUNTIME = "libamdhip64"  # the package of the HIP runtime, whose name goes on with a version

# Mounts what programs expect, then runs the command: sh -c ENTER ROOT BUILD COMMAND... The shell
# stays as process 1 of the namespace: signals that the program sends itself would not end that.
ENTER = """
root=$0; build=$1; shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
mkdir -p "$root%s"
[ -z "$build" ] || mount --bind "$build" "$root%s"
chroot "$root" "$@" || exit $?
""" % (INSIDE, INSIDE)


@dataclasses.dataclass
class Suite:
    """One row of suites.toml; the file's header says what the fields mean."""
    name: str
    chroot: str
    library: str
    packages: list
    programs: list
    reader: str = "gtest"
    filter: str = "*"
    cases: int = 0
    begin: float = 0.0
    device: str = "mi210"
    limit_s: int = 300
    arguments: list = dataclasses.field(default_factory=list)
    environment: dict = dataclasses.field(default_factory=dict)
    lines: dict = dataclasses.field(default_factory=dict)
    table: dict = dataclasses.field(default_factory=dict)


def read_suites():
    """The chroots by name and the suites in the order of the file."""
    data = tomllib.loads((HERE / "suites.toml").read_text())
    return data["chroot"], [Suite(**row) for row in data["suite"]]


def choose(suites, names):
    """The suites of these names (all without names); an unknown name ends the script."""
    known = {suite.name.lower(): suite for suite in suites}
    unknown = [name for name in names if name.lower() not in known]
    if unknown:
        raise SystemExit(f"no suite {', '.join(unknown)}; there are {', '.join(known)}")
    return [known[name.lower()] for name in names] or suites


def command_in(root, command, environment=None, build=None):
    """The command line that runs `command` inside of the chroot, with `build` at INSIDE.

    Its processes die with it, whatever they do: it has its own process and mount namespaces.
    """
    variables = {"PATH": "/usr/sbin:/usr/bin:/sbin:/bin", "LC_ALL": "C.UTF-8", "HOME": "/root",
                 "DEBIAN_FRONTEND": "noninteractive", **(environment or {})}
    pairs = [f"{name}={value}" for name, value in variables.items()]
    return ["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child",
            "sh", "-ec", ENTER, str(root), str(build or ""), "env", "-i", *pairs, *command]


def field_of(root, package, field):
    """A field of an installed package, empty where it is not installed."""
    done = subprocess.run(["dpkg-query", f"--admindir={root}/var/lib/dpkg", "-W",
                           f"-f=${{{field}}}", package], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else ""


def version_of(root, package):
    """The installed version of a package, `none` where it is not installed."""
    return field_of(root, package, "Version") or "none"


def calls_hip(root, suite):
    """Whether a package of the suite depends on the HIP runtime.

    Some of Debian's libraries are built without their HIP back end (rocALUTION): their tests pass
    on the host and say nothing of a device.
    """
    return any(RUNTIME in field_of(root, package, "Depends")
               for package in (suite.library, *suite.packages))
