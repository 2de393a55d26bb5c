a = LOAD '$IN';
STORE a INTO '${OUT}/$DAY';
