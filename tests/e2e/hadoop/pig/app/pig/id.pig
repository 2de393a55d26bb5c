A = load '$INPUT';
