a = LOAD '$INPUT' AS (n:int);
STORE a INTO '$OUT';
