# SPDX-License-Identifier: MIT
"""What scripts/draw-paper consists of: numbers that know where they were measured, tables and figures made of them, and
the templates of paper/ that they are written into."""
