#!/usr/bin/env python3
# SPDX-License-Identifier: MIT
"""Where `weft` writes: test_outputs.py PATH_OF_WEFT. Pipes and sockets and files behind /dev/stdout and /dev/fd,
links, attributes of files that are there, long names, closed standard streams. Prints PASS / FAIL / SKIP lines."""
import json
import os
import re
import resource
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import threading

import png
from test_cli import DONE, FILE, SANITIZED, THREAD_SANITIZER, USAGE, WEFT, Skip, interrupt, main, open_terminal, sample_png, weft


def spectrum(folder):
    """The bytes of the spectrum of a picture, in.png, that is there from now on."""
    sample_png(folder)
    weft("fft", "in.png", "-o", "right.npy", cwd=folder)
    data = read(folder, "right.npy")
    os.remove(os.path.join(folder, "right.npy"))
    return data


def fft(folder, output, expect=DONE, **more):
    """Transforms in.png; returns what was said, and printed."""
    more.setdefault("stdout", subprocess.PIPE)
    done = subprocess.run([WEFT, "fft", "in.png", "-o", output], cwd=folder, stderr=subprocess.PIPE, check=False,
                          timeout=60, **more)
    said = done.stderr.decode()
    assert done.returncode == expect and bool(said) == (expect != DONE), f"-o {output}: {done.returncode}: {said}"
    return said, done.stdout


def read(folder, name):
    with open(os.path.join(folder, name), "rb") as file:
        return file.read()


def write(folder, name, data=b"precious"):
    with open(os.path.join(folder, name), "wb") as file:
        file.write(data)
    return os.path.join(folder, name)


def drain(descriptor):
    with open(descriptor, "rb") as file:
        return file.read()


def test_pipes_by_name(folder):
    right = spectrum(folder)
    os.symlink("/dev/stdout", os.path.join(folder, "link"))
    for name in ("/dev/stdout", "/dev/fd/1", "/proc/self/fd/1", "/proc/thread-self/fd/1", "link", "-"):
        assert fft(folder, name)[1] == right, name
    reader, writer = os.pipe()
    fft(folder, f"/dev/fd/{writer}", pass_fds=[writer])
    os.close(writer)
    assert drain(reader) == right
    reader, writer = os.pipe()
    fft(folder, f"/proc/{os.getpid()}/fd/{writer}")  # that of another process
    os.close(writer)
    assert drain(reader) == right
    assert sorted(os.listdir(folder)) == ["in.png", "link"]


def test_named_pipe(folder):
    right, got = spectrum(folder), []
    os.mkfifo(os.path.join(folder, "fifo"))
    os.symlink("fifo", os.path.join(folder, "link"))
    for name in ("fifo", "link"):
        reader = threading.Thread(target=lambda: got.append(read(folder, "fifo")))
        reader.start()
        fft(folder, name)
        reader.join(timeout=60)
    assert got == [right, right] and stat.S_ISFIFO(os.stat(os.path.join(folder, "fifo")).st_mode)


def test_sockets(folder):
    """They have no name that open() takes."""
    right = spectrum(folder)
    for is_stdout in (True, False):
        ours, theirs = socket.socketpair()
        with ours, theirs:
            number = theirs.fileno()
            if is_stdout:
                fft(folder, "/dev/stdout", stdout=theirs)
            else:
                fft(folder, f"/dev/fd/{number}", pass_fds=[number])
            theirs.close()
            with ours.makefile("rb") as file:
                assert file.read() == right


def test_files_behind_descriptors(folder):
    """Written where the descriptor stands, and never replaced."""
    right = spectrum(folder)
    for name, flags in (("append", os.O_APPEND), ("middle", 0)):
        path = write(folder, name)
        descriptor = os.open(path, os.O_WRONLY | flags)
        os.lseek(descriptor, 3, os.SEEK_SET)
        number = os.stat(path).st_ino
        fft(folder, "/dev/stdout", stdout=descriptor)
        fft(folder, f"/dev/fd/{descriptor}", pass_fds=[descriptor])
        fft(folder, f"/proc/thread-self/fd/{descriptor}", pass_fds=[descriptor])
        assert "No such file" in fft(folder, f"/dev/fd/0{descriptor}", FILE, pass_fds=[descriptor])[0]
        os.close(descriptor)
        assert read(folder, name) == (b"precious" if flags else b"pre") + 3 * right, name
        assert os.stat(path).st_ino == number
    with open(os.path.join(folder, "gone"), "w+b") as gone:
        os.remove(gone.name)
        fft(folder, "/dev/stdout", stdout=gone)
        gone.seek(0)
        assert gone.read() == right
    write(folder, "old")
    with open(os.path.join(folder, "old"), "rb") as old:
        name = f"/dev/fd/{old.fileno()}"
        assert fft(folder, name, FILE, pass_fds=[old.fileno()])[0] == f"weft: {name}: is not open for writing\n"
    assert "Bad file descriptor" in fft(folder, "/dev/fd/99", FILE)[0]
    assert read(folder, "old") == b"precious"


def test_text_beside_standard_output(folder):
    """Whatever the name of it, nothing else is written there."""
    sample_png(folder)
    for name in ("-", "/dev/stdout", "/proc/thread-self/fd/1"):
        printed = subprocess.run([WEFT, "spectrum", "in.png", "-o", name], cwd=folder, capture_output=True,
                                 check=True).stdout
        assert printed.startswith(b"\x89PNG") and printed[-8:-4] == b"IEND", printed[-40:]
        assert json.loads(weft("info", "--json", name))
        with open(os.path.join(folder, "file"), "wb") as file:
            subprocess.run([WEFT, "spectrum", "in.png", "-o", name], cwd=folder, stdout=file, check=True)
        assert read(folder, "file") == printed
        os.remove(os.path.join(folder, "file"))
        for command in (["verify"], ["bench", "--repeat", "1"]):
            assert json.loads(weft(*command, "--size", "4x4", "--strategy", "cpu.reference", "--json", name))
    assert os.listdir(folder) == ["in.png"]


def test_terminal_by_name(folder):
    sample_png(folder)
    ours, theirs = open_terminal()
    for name in ("-", "/dev/stdout"):
        assert f"-o {name}: standard output is a terminal" in fft(folder, name, USAGE, stdout=theirs)[0]
    os.close(theirs)
    os.close(ours)


def test_links(folder):
    """Followed, to files that are there and to those that are not; a circle is refused."""
    right = spectrum(folder)
    os.mkdir(os.path.join(folder, "far"))
    write(folder, "far/there")
    for name, to in (("far/second", "../third"), ("first", "far/second"), ("third", os.path.join(folder, "far/there")),
                     ("dangling", "far/chain"), ("far/chain", "new"), ("a", "b"), ("b", "a"), ("self", "./self"),
                     ("lost", "nowhere/new")):
        os.symlink(to, os.path.join(folder, name))
    before = sorted(os.listdir(folder))
    for name, behind in (("first", "far/there"), ("dangling", "far/new"), ("far/chain", "far/new")):
        fft(folder, name)
        assert read(folder, behind) == right and os.path.islink(os.path.join(folder, name)), name
        assert not os.path.islink(os.path.join(folder, behind))
    for name in ("a", "self"):
        assert fft(folder, name, FILE)[0] == f"weft: {name}: cannot write: Too many levels of symbolic links\n"
    assert fft(folder, "lost", FILE)[0] == "weft: lost: cannot write: No such file or directory\n"
    assert sorted(os.listdir(folder)) == before
    assert sorted(os.listdir(os.path.join(folder, "far"))) == ["chain", "new", "second", "there"]


def test_attributes(folder):
    """Permissions, owner and group stay, whatever the umask; a file that is new has those of the umask."""
    right = spectrum(folder)
    path = write(folder, "old")
    if os.geteuid() == 0:
        os.chown(path, 12345, 54321)
    before = os.stat(path)
    for mode in (0o664, 0o600, 0o777, 0o2664):
        write(folder, "old")
        os.chmod(path, mode)
        fft(folder, "old", umask=0o077)
        after = os.stat(path)
        assert (stat.S_IMODE(after.st_mode), after.st_uid, after.st_gid) == (mode, before.st_uid, before.st_gid), oct(mode)
        assert read(folder, "old") == right
    fft(folder, "new", umask=0o027)
    assert stat.S_IMODE(os.stat(os.path.join(folder, "new")).st_mode) == 0o640


def test_hard_links(folder):
    """All names of a file are those of the new one too. A file is emptied if it cannot be written whole, and not
    touched before there is something to write."""
    right = spectrum(folder)
    path = write(folder, "old", b"precious" * 1000)
    os.link(path, os.path.join(folder, "other"))
    fft(folder, "old")
    assert read(folder, "old") == read(folder, "other") == right and os.path.samefile(path, os.path.join(folder, "other"))
    weft("bench", "--size", "7x11", "--strategy", "cpu.report", "--json", "old", cwd=folder, expect=USAGE)
    assert read(folder, "old") == right
    if not SANITIZED:  # which have large files of their own
        fft(folder, "old", FILE, preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100)))
        assert read(folder, "other") == b""
    assert sorted(os.listdir(folder)) == ["in.png", "old", "other"]


def test_signals_while_a_file_is_written_in_place(folder):
    path = write(folder, "old")
    os.link(path, os.path.join(folder, "other"))
    interrupt(folder, ["scene", "3000x3000", "--rgb", "-o", "old"], signal.SIGTERM, lambda: os.path.getsize(path) > 100)
    assert read(folder, "other") == b"", "half a file"
    assert sorted(os.listdir(folder)) == ["old", "other"]


def access_list(*entries):
    return struct.pack("<I", 2) + b"".join(struct.pack("<HHI", *entry) for entry in entries)


def test_access_lists_of_folders(folder):
    """What a folder gives to its new files lets nobody read who could not read the old one."""
    right = spectrum(folder)
    path = write(folder, "old")
    os.chmod(path, 0o660)
    nobody = 0xffffffff
    try:
        os.setxattr(folder, "system.posix_acl_default", access_list((1, 7, nobody), (2, 7, 12345), (4, 5, nobody),
                                                                    (16, 7, nobody), (32, 0, nobody)))
    except OSError as error:
        raise Skip(f"no access lists here: {error}") from error
    fft(folder, "old")
    assert "system.posix_acl_access" not in os.listxattr(path)
    assert stat.S_IMODE(os.stat(path).st_mode) == 0o660 and read(folder, "old") == right


def test_attributes_of_users(folder):
    right = spectrum(folder)
    path = write(folder, "old")
    try:
        os.setxattr(path, "user.origin", b"far away")
    except OSError as error:
        raise Skip(f"no attributes of users here: {error}") from error
    fft(folder, "old")
    assert os.getxattr(path, "user.origin") == b"far away" and read(folder, "old") == right


def as_nobody(folder):
    if os.geteuid() != 0:
        return {}
    if subprocess.run(["true"], cwd=folder, user=65534, check=False).returncode or not os.access(WEFT, os.X_OK):
        raise Skip("nobody has no access to the program")
    return {"user": 65534, "group": 65534, "extra_groups": []}


def test_folder_that_is_not_ours(folder):
    """A file that may be written is written there; one that may not be is not replaced."""
    if THREAD_SANITIZER and not os.stat("/dev/shm").st_mode & stat.S_IWOTH:
        raise Skip("the OpenMP of this build wants memory in /dev/shm, which nobody may write here")
    right = spectrum(folder)
    os.mkdir(os.path.join(folder, "closed"))
    path = write(folder, "closed/old")
    os.chmod(path, 0o666)
    os.chmod(folder, 0o755)
    os.chmod(os.path.join(folder, "closed"), 0o555)
    try:
        who = as_nobody(folder)
        fft(folder, "closed/old", **who)
    except PermissionError as error:
        raise Skip(f"nobody cannot run the program: {error}") from error
    assert read(folder, "closed/old") == right
    assert "Permission denied" in fft(folder, "closed/new", FILE, **who)[0]
    os.chmod(os.path.join(folder, "closed"), 0o777)
    os.chmod(path, 0o444)
    assert "Permission denied" in fft(folder, "closed/old", FILE, **who)[0]
    assert read(folder, "closed/old") == right and os.listdir(os.path.join(folder, "closed")) == ["old"]


def mounted(folder, script):
    """A shell runs it in a namespace of its own, where it may mount."""
    if not shutil.which("unshare") or subprocess.run(["unshare", "-rm", "mount", "-t", "tmpfs", "none", folder], capture_output=True, check=False).returncode:
        raise Skip("nothing can be mounted here")
    done = subprocess.run(["unshare", "-rm", "sh", "-ec", script, WEFT], cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (DONE, ""), done


def test_mounted_file(folder):
    """It cannot be replaced."""
    right = spectrum(folder)
    write(folder, "old")
    write(folder, "source")
    mounted(folder, 'mount --bind source old; "$0" fft in.png -o old')
    assert read(folder, "source") == right and read(folder, "old") == b"precious"
    assert sorted(os.listdir(folder)) == ["in.png", "old", "source"]


def test_a_folder_that_takes_no_more_files(folder):
    """The file itself is written where no other can be made beside it."""
    right = spectrum(folder)
    os.mkdir(os.path.join(folder, "full"))
    mounted(folder, 'mount -t tmpfs -o nr_inodes=2 none full; echo old >full/old; "$0" fft in.png -o full/old; cp full/old .')
    assert read(folder, "old") == right
    write(folder, "old")
    fft(folder, "./" * 2044 + "old")
    assert read(folder, "old") == right


def test_long_names(folder):
    right = spectrum(folder)
    for name in ("n" * 255, "ä" * 127, "n" * 251 + ".npy"):
        for _ in range(2):
            fft(folder, name)
            assert read(folder, name) == right
    assert "File name too long" in fft(folder, "n" * 256, FILE)[0]
    assert len(os.listdir(folder)) == 4


def test_long_paths(folder):
    """What is said of one keeps its end, where the reason is."""
    sample_png(folder)
    for length in (500, 597, 700, 1500):
        path = "./" * length + "nofile.png"
        said = weft("fft", path, "-o", "x.npy", cwd=folder, expect=FILE, said=True)
        assert said.endswith("/nofile.png: No such file or directory"), said
        assert len(said) < 1210 and ("..." in said) == (length > 590), said
    said = weft("fft", "ä" * 1500, "-o", "x.npy", cwd=folder, expect=FILE, said=True)
    assert re.fullmatch("weft: ä+[.]{3}ä+: File name too long", said), said
    said = weft("fft", "in.png", "-o", "a" * 1500 + ".jpg", cwd=folder, expect=USAGE, said=True)
    assert "aa...aa" in said and ".jpg: only .npy is written" in said, said


def closed(folder, streams, *arguments):
    """(exit code, what was said) with these standard streams closed."""
    said = os.path.join(folder, "said")
    redirected = " ".join(f"{stream}>&-" for stream in streams)
    done = subprocess.run(["sh", "-c", f'"$0" "$@" 2>said {redirected}', WEFT, *arguments], cwd=folder, check=False,
                          timeout=60)
    with open(said, encoding="utf-8") as file:
        return done.returncode, file.read()


def test_closed_streams(folder):
    """One that is not needed is not missed; one that is needed is, and no file takes its place."""
    right = spectrum(folder)
    for streams in ("1", "01", "012"):
        assert closed(folder, streams, "fft", "in.png", "-o", "out.npy") == (DONE, ""), streams
        assert read(folder, "out.npy") == right, streams
    for arguments in (["fft", "in.png", "-o", "-"], ["fft", "in.png", "-o", "/dev/stdout"], ["info"],
                      ["spectrum", "in.png", "-o", "drawn.png"], ["info", "--json", "-"],
                      ["verify", "--size", "4x4", "--strategy", "cpu.reference", "--json", "v.json"]):
        code, said = closed(folder, "1", *arguments)
        if SANITIZED:  # its OpenMP flushes what is printed, and has the reason
            said = said.replace(": Bad file descriptor", "").replace("\n", ": Bad file descriptor\n")
        assert (code, said) == (FILE, "weft: standard output: cannot write: Bad file descriptor\n"), (arguments, said)
    assert json.loads(read(folder, "v.json")) and png.read(os.path.join(folder, "drawn.png"))
    assert closed(folder, "0", "fft", "-", "-o", "out.npy") == (
        FILE, "weft: standard input: cannot read: Bad file descriptor\n")
    assert read(folder, "out.npy") == right


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    sys.exit(main(globals()))
