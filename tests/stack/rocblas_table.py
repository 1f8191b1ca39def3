"""A part of the table of cases that rocBLAS's test program reads at each start.

The table describes 1.5 million cases; reading it takes minutes and 2 GB before a case is chosen.
It begins with "rocBLAS", a record that spells the layout, and "ROCblas", each word with its zero
byte; equal records follow, one for each case.
"""
BEGIN, END = b"rocBLAS\0", b"ROCblas\0"


def thin(source, target, every):
    """Writes the table with every `every`th of its records."""
    with open(source, "rb") as table, open(target, "wb") as part:
        head = table.read(4096)
        size = head.find(END)
        if not head.startswith(BEGIN) or size < 0:
            raise SystemExit(f"{source} is no table of rocBLAS's cases")
        size += len(END)
        record = size - len(BEGIN) - len(END)
        part.write(head[:size])
        table.seek(size)
        while len(row := table.read(record)) == record:
            part.write(row)
            table.seek((every - 1) * record, 1)
