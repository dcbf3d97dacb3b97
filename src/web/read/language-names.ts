/** Endings of files, and the language that each stands for. Prose and data are not counted. */
const NAMES: Readonly<Record<string, string>> = {
  ...{ c: 'C', h: 'C', cc: 'C++', cpp: 'C++', cxx: 'C++', hpp: 'C++', cs: 'C#', clj: 'Clojure' },
  ...{
    css: 'CSS',
    scss: 'SCSS',
    less: 'Less',
    dart: 'Dart',
    ex: 'Elixir',
    exs: 'Elixir',
    elm: 'Elm',
  },
  ...{ erl: 'Erlang', f90: 'Fortran', fs: 'F#', go: 'Go', groovy: 'Groovy', hs: 'Haskell' },
  ...{ html: 'HTML', htm: 'HTML', java: 'Java', jl: 'Julia', js: 'JavaScript', mjs: 'JavaScript' },
  ...{
    cjs: 'JavaScript',
    jsx: 'JavaScript',
    kt: 'Kotlin',
    kts: 'Kotlin',
    lua: 'Lua',
    m: 'Objective-C',
  },
  ...{
    ml: 'OCaml',
    mli: 'OCaml',
    pas: 'Pascal',
    php: 'PHP',
    pl: 'Perl',
    pm: 'Perl',
    ps1: 'PowerShell',
  },
  ...{ py: 'Python', r: 'R', rb: 'Ruby', rs: 'Rust', scala: 'Scala', sh: 'Shell', bash: 'Shell' },
  ...{ sql: 'SQL', svelte: 'Svelte', swift: 'Swift', tcl: 'Tcl', tex: 'TeX', ts: 'TypeScript' },
  ...{
    mts: 'TypeScript',
    cts: 'TypeScript',
    tsx: 'TypeScript',
    vb: 'Visual Basic',
    vue: 'Vue',
    zig: 'Zig',
  },
}

/** The language of a file by its ending; undefined for prose, data and endings that are not known. */
export function languageName(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (name === 'makefile') return 'Makefile'
  if (name === 'dockerfile') return 'Dockerfile'
  const ending = /\.([a-z0-9]+)$/.exec(name)?.[1] ?? ''
  return Object.hasOwn(NAMES, ending) ? NAMES[ending] : undefined
}
