"""Adds up the prices of orders by customer: by_customer.py ORDERS OUTPUT."""

import sys

from pyspark.sql import SparkSession

orders, output = sys.argv[1:]
spark = SparkSession.builder.getOrCreate()
table = spark.read.csv(orders, schema="id int, customer string, item string, price decimal(10,2)")
table.groupBy("customer").sum("price").write.csv(output)
spark.stop()
