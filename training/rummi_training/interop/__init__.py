"""The roads to other frameworks; each module needs the framework that it is named for.

Those that are missing are answered with the extra that brings them.
"""
