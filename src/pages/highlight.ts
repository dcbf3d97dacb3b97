import { createRequire } from 'node:module'
import type { HLJSApi, LanguageFn } from 'highlight.js'
import { Html, html } from './html.ts'

const require = createRequire(import.meta.url)

const LANGUAGES = [
  'bash',
  'c',
  'cpp',
  'csharp',
  'css',
  'diff',
  'dockerfile',
  'go',
  'ini',
  'java',
  'javascript',
  'json',
  'kotlin',
  'makefile',
  'markdown',
  'php',
  'python',
  'ruby',
  'rust',
  'sql',
  'swift',
  'typescript',
  'xml',
  'yaml',
]

let loaded: HLJSApi | undefined

/** The highlighter. It is loaded when code is first shown: a server starts without it. */
function highlighter(): HLJSApi {
  if (loaded) return loaded
  loaded = require('highlight.js/lib/core') as HLJSApi
  for (const name of LANGUAGES) {
    loaded.registerLanguage(name, require(`highlight.js/lib/languages/${name}`) as LanguageFn)
  }
  loaded.configure({ classPrefix: 'hl-' })
  return loaded
}

/** Whether code in a language is highlighted, by its name or another one of it. */
export const isKnown = (language: string): boolean =>
  highlighter().getLanguage(language) !== undefined

/** Longer code is not highlighted: its page would triple in size. */
const LONGEST = 100_000

/** Code as HTML, with a class for each kind of word; plain if the language is not known or the code is long. */
export function highlight(code: string, language: string | undefined): Html {
  if (language === undefined || code.length > LONGEST || !isKnown(language)) {
    return html`${code}`
  }
  return Html.trust(highlighter().highlight(code, { language, ignoreIllegals: true }).value)
}

/** The same, line by line: an element over several lines is closed at the end of each line, and opened again. */
export function highlightLines(code: string, language: string | undefined): Html[] {
  const open: string[] = []
  return highlight(code, language)
    .toString()
    .split('\n')
    .map((line) => {
      const before = open.join('')
      for (const [tag] of line.matchAll(/<span[^>]*>|<\/span>/g)) {
        if (tag === '</span>') open.pop()
        else open.push(tag)
      }
      return Html.trust(before + line + '</span>'.repeat(open.length))
    })
}

const ENDINGS: Readonly<Record<string, string>> = {
  h: 'c',
  htm: 'xml',
  mjs: 'javascript',
  cjs: 'javascript',
  mts: 'typescript',
  cts: 'typescript',
  toml: 'ini',
  cfg: 'ini',
  gemspec: 'ruby',
  rake: 'ruby',
}

/** The language of a file by its name; undefined if it is not known. */
export function languageOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('/') + 1).toLowerCase()
  if (/^(?:dockerfile|makefile)\b/.test(name)) return name.replace(/\..*/s, '')
  const ending = /\.([a-z0-9+#]+)$/.exec(name)?.[1]
  if (ending === undefined) return undefined
  const language = ENDINGS[ending] ?? ending
  return isKnown(language) ? language : undefined
}
