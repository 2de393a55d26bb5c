DROP TABLE ${table}; /* ${none} */
