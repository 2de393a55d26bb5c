#!/bin/sh
exec printf "%s\n" "$@"
