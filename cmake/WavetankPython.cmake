# The interpreter itself, where `python3` is a script that finds one, as pyenv's is: that took two
# thirds of the time of a test that starts a program and compares what it prints.
find_program(WAVETANK_PYTHON NAMES python3)
mark_as_advanced(WAVETANK_PYTHON)
if(WAVETANK_PYTHON AND NOT Python3_EXECUTABLE)
  execute_process(COMMAND "${WAVETANK_PYTHON}" -c "import sys; print(sys.executable)"
    OUTPUT_VARIABLE python OUTPUT_STRIP_TRAILING_WHITESPACE RESULT_VARIABLE status)
  if(status EQUAL 0)
    set(Python3_EXECUTABLE "${python}")
  endif()
endif()
