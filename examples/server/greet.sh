#!/bin/sh
echo "greeting=Hello, $1!"
