# The two commands of the README, for a clean Debian 12 machine:
#   make demo    installs what is missing, builds, runs the transpose example on the virtual MI210 and
#                says what bounds it
#   make test    installs what is missing, builds, runs the tests; `make test-long` all of them (hours)
# and `make libraries`, which installs rocPRIM, rocRAND and rocSPARSE and runs all their programs.
BUILD := build/release
PRESET := release
JOBS := $(shell nproc)
# Some tests wait, for a browser or for what must not come: while they do, another one works.
TEST_JOBS := $(shell expr $(JOBS) + 1)

.PHONY: all demo test test-long libraries packages configure build format install deb clean

all: build

packages:
	@tools/install_packages.sh

# What the demo configured for this machine alone is configured for every machine.
configure: packages
	@test -f $(BUILD)/build.ninja -a ! -f $(BUILD)/demo_only || \
	  cmake --preset $(PRESET) -U WAVETANK_HOST_TARGETS
	@rm -f $(BUILD)/demo_only

build: configure
	@cmake --build --preset $(PRESET) -j $(JOBS)

# The tool and its libraries only, in a new folder for this machine's own vector unit only.
demo: packages
	@test -f $(BUILD)/build.ninja || { \
	  cmake --preset $(PRESET) "-DWAVETANK_HOST_TARGETS=$$(tools/host_unit.sh)" && \
	  touch $(BUILD)/demo_only; }
	@cmake --build --preset $(PRESET) -j $(JOBS) --target product
	@$(BUILD)/bin/wavetank cc examples/transpose/transpose.hip -O3 -g --offload-arch=gfx90a -o $(BUILD)/transpose
	@echo
	@$(BUILD)/bin/wavetank run --device mi210 $(BUILD)/transpose
	@echo
	@$(BUILD)/bin/wavetank inspect $(BUILD)/transpose
	@echo
	@$(BUILD)/bin/wavetank profile --device mi210 -o $(BUILD)/transpose.wt $(BUILD)/transpose

test: build
	@ctest --test-dir $(BUILD) --output-on-failure -j $(TEST_JOBS) -LE 'long|fuzz'

test-long: build
	@ctest --test-dir $(BUILD) -C Long --output-on-failure -j $(JOBS)

libraries: packages
	@tools/install_packages.sh library_packages.txt
	@cmake --preset $(PRESET)
	@cmake --build --preset $(PRESET) -j $(JOBS) --target wavetank library_programs
	@ctest --test-dir $(BUILD) --output-on-failure -j $(JOBS) -L libraries

format:
	@git ls-files 'src/*.?pp' 'tests/*.?pp' 'bench/*.?pp' | xargs clang-format-19 -i

install: build
	@cmake --install $(BUILD)

deb: build
	@cd $(BUILD) && cpack -G DEB

clean:
	@rm -rf build
