"""Adds up the prices of orders by item: sums.py ORDERS OUTPUT."""

import csv
import sys
from decimal import Decimal

from pyspark.sql import SparkSession

orders, output = sys.argv[1:]
# The file comes with the program: it lies in the folder of the driver, wherever that runs.
with open(orders, newline="") as lines:
    rows = [(item, Decimal(price)) for _id, _customer, item, price in csv.reader(lines)]
spark = SparkSession.builder.getOrCreate()
table = spark.createDataFrame(rows, "item string, price decimal(10,2)")
table.groupBy("item").sum("price").write.csv(output)
spark.stop()
