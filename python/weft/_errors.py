# SPDX-License-Identifier: MIT
"""What Weft raises: each kind is one of Python's own exceptions and a `weft.Error` as well."""


class Error(Exception):
    """Anything that Weft could not do; its text says what was wrong and with which value."""


class ArgumentError(Error, ValueError):
    """A value that no transform can have, such as a size of 0."""


class ArgumentTypeError(Error, TypeError):
    """An argument of a wrong type, such as a complex image."""


class UnsupportedError(Error, NotImplementedError):
    """Something that makes sense and is not there, or not on this machine."""


class OutOfMemoryError(Error, MemoryError):
    """No memory for a plan, its work memory or a result."""


class DeviceError(Error, RuntimeError):
    """No usable GPU, or an error that it reported."""
