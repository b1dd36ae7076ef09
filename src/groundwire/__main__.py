"""`python -m groundwire` is `gw`."""

from groundwire.doors.cli import main

if __name__ == "__main__":
    main()
