"""The codec: bytes and objects, signatures, seals, each kind of document, `resolve` and `verify`. It knows no files."""
