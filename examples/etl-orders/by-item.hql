-- How many orders there are of each item, and what they cost. The table is where the orders already are.
drop table if exists hpdlc_imported_orders;
create external table hpdlc_imported_orders (id int, customer string, item string, price decimal(10,2))
row format delimited fields terminated by ','
location '${ORDERS}';

insert overwrite directory '${OUTPUT}'
row format delimited fields terminated by ','
select item, count(*), sum(price) from hpdlc_imported_orders group by item;

drop table hpdlc_imported_orders;
