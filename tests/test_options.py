"""An option that is declared is taken by every function and command that its declaration names."""

from __future__ import annotations

import inspect

import click

import goodmeasure
from goodmeasure.cli.main import main
from goodmeasure.options import OPTIONS


def test_functions_take_what_is_declared_for_them_with_its_default():
    for option in OPTIONS.values():
        for name in option.functions:
            parameters = inspect.signature(getattr(goodmeasure, name)).parameters
            assert option.name in parameters, (name, option.name)
            assert parameters[option.name].default == option.default, (name, option.name)


def test_commands_take_what_is_declared_for_them_with_its_help():
    for option in OPTIONS.values():
        for name in option.commands:
            command = main.get_command(click.Context(main), name)
            taken = {x.opts[0]: x for x in command.params if isinstance(x, click.Option)}
            assert option.typed in taken, (name, option.typed)
            assert taken[option.typed].help == option.help
