import { setImmediate } from 'node:timers/promises'
import type { ObjectStore } from '../objects/object-store.ts'
import { walkTree } from '../objects/walk-tree.ts'
import { isBroken } from '../parse/git-object.ts'
import { isFolder, isLink, isSubmodule } from '../parse/parse-tree.ts'

/** A programming language, and the bytes of the files in it. */
export interface Language {
  readonly name: string
  readonly bytes: number
}

/** Entries after which other work of the process may run. */
const TURN = 500

/**
 * Counts the bytes of code in a tree by language, the most used language first. Damage ends the count.
 *
 * @param most the most entries to look at
 */
export async function countLanguages(
  objects: ObjectStore,
  tree: string,
  limit: number,
): Promise<Language[]> {
  const sums = new Map<string, number>()
  let seen = 0
  try {
    for (const entry of walkTree(objects, tree)) {
      if (++seen > limit) break
      if (seen % TURN === 0) await setImmediate()
      if (isFolder(entry) || isLink(entry) || isSubmodule(entry)) continue
      const name = languageOf(entry.path)
      if (name !== undefined) sums.set(name, (sums.get(name) ?? 0) + sizeOf(objects, entry.oid))
    }
  } catch (error) {
    if (!isBroken(error)) throw error
  }
  return [...sums]
    .map(([name, bytes]) => ({ name, bytes }))
    .filter(({ bytes }) => bytes > 0)
    .sort((a, b) => b.bytes - a.bytes || (a.name < b.name ? -1 : 1))
}

/** The size of an object; 0 if it is missing or damaged. */
function sizeOf(objects: ObjectStore, oid: string): number {
  try {
    return objects.sizeOf(oid)
  } catch {
    return 0
  }
}

/** Languages by the endings of file names. As on the host, prose and data are not counted. */
const ENDINGS: Readonly<Record<string, string>> = {
  Ada: 'adb ads',
  Assembly: 'asm',
  Astro: 'astro',
  Awk: 'awk gawk',
  Batchfile: 'bat cmd',
  C: 'c h',
  'C#': 'cs',
  'C++': 'cc cpp cxx hpp hxx hh',
  CMake: 'cmake',
  COBOL: 'cbl cob',
  CSS: 'css',
  Clojure: 'clj cljc cljs',
  CoffeeScript: 'coffee',
  'Common Lisp': 'lisp lsp',
  Crystal: 'cr',
  Cuda: 'cu cuh',
  D: 'd',
  Dart: 'dart',
  Elixir: 'ex exs',
  Elm: 'elm',
  'Emacs Lisp': 'el',
  Erlang: 'erl hrl',
  'F#': 'fs fsi fsx',
  Fortran: 'f f77 f90 f95 for',
  GLSL: 'glsl vert frag',
  Go: 'go',
  Groovy: 'groovy gradle',
  HCL: 'hcl tf',
  HTML: 'html htm xhtml',
  Handlebars: 'handlebars hbs',
  Haskell: 'hs lhs',
  Java: 'java',
  JavaScript: 'js cjs mjs jsx',
  Julia: 'jl',
  'Jupyter Notebook': 'ipynb',
  Kotlin: 'kt kts',
  Less: 'less',
  Lua: 'lua',
  MATLAB: 'matlab',
  Makefile: 'mk mak',
  Nim: 'nim',
  Nix: 'nix',
  OCaml: 'ml mli',
  'Objective-C': 'm',
  'Objective-C++': 'mm',
  PHP: 'php phtml',
  Pascal: 'pas pp',
  Perl: 'pl pm',
  PowerShell: 'ps1 psm1 psd1',
  Prolog: 'prolog',
  Python: 'py pyi pyw',
  R: 'r',
  Racket: 'rkt',
  Raku: 'raku rakumod p6 pm6',
  Reason: 're rei',
  Ruby: 'rb gemspec rake',
  Rust: 'rs',
  SCSS: 'scss',
  Sass: 'sass',
  Scala: 'scala sbt',
  Scheme: 'scm ss',
  Shell: 'sh bash zsh',
  Smalltalk: 'st',
  Solidity: 'sol',
  'Standard ML': 'sml',
  Svelte: 'svelte',
  Swift: 'swift',
  Tcl: 'tcl',
  TeX: 'tex sty cls',
  TypeScript: 'ts tsx mts cts',
  VHDL: 'vhd vhdl',
  Verilog: 'v vh',
  'Vim Script': 'vim',
  'Visual Basic .NET': 'vb',
  Vue: 'vue',
  WebAssembly: 'wat wast',
  Zig: 'zig',
}

/** Languages of files that are known by their whole names. */
const NAMES: Readonly<Record<string, string>> = {
  dockerfile: 'Dockerfile',
  makefile: 'Makefile',
  gnumakefile: 'Makefile',
  rakefile: 'Ruby',
  gemfile: 'Ruby',
  'cmakelists.txt': 'CMake',
}

const BY_ENDING: ReadonlyMap<string, string> = new Map(
  Object.entries(ENDINGS).flatMap(([language, endings]) =>
    endings.split(' ').map((ending) => [ending, language] as const),
  ),
)
const BY_NAME: ReadonlyMap<string, string> = new Map(Object.entries(NAMES))

/** Folders with the code of others, which is not counted. */
const VENDORED = /(?:^|\/)(?:node_modules|vendor|third[-_]party|bower_components|dist)\//

/**
 * The language of a file by its name; undefined for files that are not counted.
 *
 * @example
 * languageOf('src/boil.c') // 'C'
 */
export function languageOf(path: string): string | undefined {
  if (VENDORED.test(path)) return undefined
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  const dot = name.lastIndexOf('.')
  return BY_NAME.get(name) ?? (dot < 0 ? undefined : BY_ENDING.get(name.slice(dot + 1)))
}
