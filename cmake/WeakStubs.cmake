# Stubs for the functions of a library of AMD's that we export and do not have.
#
# wavetank_append_stub(VARIABLE NAMESPACE SYMBOL) appends to the text VARIABLE a weak function
# SYMBOL that gives NAMESPACE::NotSupported{"SYMBOL", state}: where the library has the function its
# strong definition wins, elsewhere the stub names itself. NAMESPACE is wavetank::hip and the like.
function(wavetank_append_stub VARIABLE NAMESPACE SYMBOL)
  set(text "${${VARIABLE}}")
  string(APPEND text
    "[[gnu::weak, gnu::visibility(\"default\")]] int wavetank_stub_${SYMBOL}() __asm__(\"${SYMBOL}\");\n"
    "int wavetank_stub_${SYMBOL}() {\n"
    "  static ${NAMESPACE}::StubState state;\n"
    "  return ${NAMESPACE}::NotSupported{\"${SYMBOL}\", state};\n}\n")
  set(${VARIABLE} "${text}" PARENT_SCOPE)
endfunction()
