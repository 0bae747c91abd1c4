import type { Program } from '../program.ts';

const PARTS = Array.from({ length: 12 }, (_, i) => i);

const C_FILES: Record<string, string> = {
  'main.c': `#include <stdio.h>\n${PARTS.map((i) => `int part${i}(void);`).join('\n')}\nint main(void) { printf("%d\\n", ${PARTS.map((i) => `part${i}()`).join(' + ')}); return 0; }\n`,
  ...Object.fromEntries(PARTS.map((i) => [`part${i}.c`, `int part${i}(void) { return ${i}; }\n`])),
};
const OBJECTS = ['main.o', ...PARTS.map((i) => `part${i}.o`)].join(' ');

/** Cargo, rustc and Go keep times and hashes of what they saw in their caches; what they build is run instead. */
export const NATIVE: readonly Program[] = [
  {
    name: 'make',
    needs: ['make', 'cc'],
    files: {
      ...C_FILES,
      Makefile: `app: ${OBJECTS}\n\tcc -o app ${OBJECTS}\n%.o: %.c\n\tcc -O1 -c -o $@ $<\nclean:\n\trm -f app *.o\n`,
    },
    setup: 'make -s && rm part3.o',
    // The first builds one part, the second nothing, the third one that is newer than its object, the last all.
    command:
      'make && make && touch -d "now + 1 minute" part5.c && make && ./app && make clean && make -j2 app >/dev/null && ./app',
  },
  {
    name: 'cmake',
    needs: ['cmake', 'make', 'cc', 'ctest'],
    files: {
      ...C_FILES,
      'CMakeLists.txt': [
        'cmake_minimum_required(VERSION 3.16)',
        'project(app C)',
        'enable_testing()',
        `add_executable(app main.c ${PARTS.map((i) => `part${i}.c`).join(' ')})`,
        'add_test(NAME runs COMMAND app)',
        'install(TARGETS app DESTINATION bin)',
        '',
      ].join('\n'),
    },
    command:
      'cmake -S . -B build >/dev/null && cmake --build build -j2 >/dev/null && (cd build && ctest | grep "tests passed") && cmake --install build --prefix out && out/bin/app',
    // Logs name the random directories of compiler checks; depend files follow the order in which jobs ended.
    loose: [/\/CMakeFiles\/.*\.(log|yaml|internal|make)$/, /\/Testing\//],
    ignore: [/\/Testing\/Temporary\//],
  },
  {
    name: 'cargo',
    needs: ['cargo', 'cc'],
    files: {
      'Cargo.toml': '[workspace]\nmembers = ["app", "text"]\n',
      'text/Cargo.toml': '[package]\nname = "text"\nversion = "1.0.0"\nedition = "2021"\n',
      'text/src/lib.rs':
        'pub fn shout(s: &str) -> String { s.to_uppercase() }\n#[test]\nfn it_shouts() { assert_eq!(shout("a"), "A"); }\n',
      'app/Cargo.toml':
        '[package]\nname = "app"\nversion = "1.0.0"\nedition = "2021"\n[dependencies]\ntext = { path = "../text" }\n',
      'app/src/main.rs': 'fn main() { println!("{}", text::shout("hello")); }\n',
    },
    command: 'cargo build --offline --quiet && cargo test --offline --quiet && target/debug/app',
    stdout: (text) => text.replace(/finished in [\d.]+s/g, ''),
    loose: [/^p\/target\//, /^\.cargo\//],
    ignore: [/\/incremental\/./],
  },
  {
    name: 'go',
    needs: ['go'],
    files: {
      'go.mod': 'module example.org/app\n\ngo 1.19\n',
      'main.go':
        'package main\n\nimport (\n\t"fmt"\n\n\t"example.org/app/text"\n)\n\nfunc main() { fmt.Println(text.Shout("hello")) }\n',
      'text/text.go':
        'package text\n\nimport "strings"\n\n// Shout is loud.\nfunc Shout(s string) string { return strings.ToUpper(s) }\n',
      'text/text_test.go':
        'package text\n\nimport "testing"\n\nfunc TestShout(t *testing.T) {\n\tif Shout("a") != "A" {\n\t\tt.Fatal()\n\t}\n}\n',
    },
    command: 'go build -o app . && go vet ./... && go test ./... && ./app',
    stdout: (text) => text.replace(/[\d.]+s$/gm, ''),
    ignore: [/^\.cache\/go-build\/./, /^\.config\/go\//, /^go\//],
  },
];
