int add(int a, int b) { int class = a; return class + b; }  /* C, not C++ */
