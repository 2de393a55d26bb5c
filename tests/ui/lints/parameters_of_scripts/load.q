-- Loads a day.
ALTER TABLE ${table} ADD PARTITION (day='${hiveconf:DAY}');
SELECT ${day};
