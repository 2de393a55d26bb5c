-- How many orders there are of each item, and what they cost.
insert overwrite directory '${OUTPUT}'
row format delimited fields terminated by ','
select item, count(*), sum(price) from hpdlc_orders group by item;

drop table hpdlc_orders;
