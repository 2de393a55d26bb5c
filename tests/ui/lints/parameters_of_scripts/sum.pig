%default DELIMITER ','
DEFINE first(rows, n) RETURNS out { $out = LIMIT $rows $n; };
a = LOAD '$INPUT' AS (n:int);
b = STREAM a THROUGH `awk '{print \$NF}'`; -- $NONE
STORE b INTO '$OUT' USING PigStorage('$DELIMITER');
