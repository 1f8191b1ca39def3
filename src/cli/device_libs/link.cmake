# Links every device library of the distribution into our folder, where gfx942's joins them.
file(MAKE_DIRECTORY "${TO}")
file(GLOB libraries "${FROM}/*.bc")
foreach(library IN LISTS libraries)
  get_filename_component(name "${library}" NAME)
  file(CREATE_LINK "${library}" "${TO}/${name}" SYMBOLIC)
endforeach()
