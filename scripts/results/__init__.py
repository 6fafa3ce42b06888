# SPDX-License-Identifier: MIT
"""The documents of data/results: load reads them and knows the code that they were measured with, select finds those to
show and what stands in them, render* make tables of Markdown, bars a picture, and pages puts both where they are shown."""
