"""The command line: one module for each group of commands, loaded only when it is needed.

Conventions (DESIGN section 8): `-` is standard input or output; results for programs on standard output, words for
people on standard error; exit codes 0 done, 1 a bug, 2 usage, 3 a document cannot be read, 4 signature or chain wrong,
5 illegal orders, 6 replay differs, 7 cannot write.

People run one command at a time, so a command imports its own group and no other: `GROUPS` says which.
"""

import sys

GROUPS = {
    "keygen": "opening",
    "new": "opening",
    "join": "opening",
    "start": "opening",
    "draft": "ordering",
    "check": "ordering",
    "sign": "signing",
    "resign": "declaring",
    "draw": "declaring",
    "act": "acting",
    "reveal": "declaring",
    "resolve": "resolving",
    "verify": "checking",
    "record": "recording",
    "replay": "recording",
    "show": "looking",
    "report": "looking",
    "hand": "looking",
    "rules": "explaining",
    "status": "looking",
    "luck": "statistics",
    "cases": "cases",
    "receipt": "receipts",
}
"""By command: the module that has it."""


INTERRUPTED = 130
"""The exit code after Ctrl-C, as shells have it."""


def main() -> None:
    """Run the command line and leave with its exit code."""
    try:
        _main()
    except KeyboardInterrupt:  # while modules are loaded; in a command typer sees to it
        sys.exit(INTERRUPTED)


def _main() -> None:
    if sys.argv[1:] == ["--version"]:
        from referee import __version__

        try:
            print(f"referee {__version__}", flush=True)
            return
        except OSError as error:
            from referee.cli.application import end_for_want_of_room

            end_for_want_of_room(error)
    import atexit
    import gc

    gc.set_threshold(50_000)  # a command makes little garbage; looking for it while modules load costs 4 ms
    atexit.register(gc.freeze)  # nor in all that is loaded, twice, when the process ends: that costs 14 ms
    from referee.cli.application import run

    run()
