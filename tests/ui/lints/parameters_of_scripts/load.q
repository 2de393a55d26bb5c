-- Loads a day. ${none}
SET hivevar:format=orc;
ALTER TABLE ${table} ADD PARTITION (day='${hiveconf:DAY}');
SELECT ${day}, '${format}';
