A = load '$IN';
store A into '$OUT';
