import hljs from 'highlight.js/lib/core'
import bash from 'highlight.js/lib/languages/bash'
import c from 'highlight.js/lib/languages/c'
import cpp from 'highlight.js/lib/languages/cpp'
import csharp from 'highlight.js/lib/languages/csharp'
import css from 'highlight.js/lib/languages/css'
import diff from 'highlight.js/lib/languages/diff'
import dockerfile from 'highlight.js/lib/languages/dockerfile'
import go from 'highlight.js/lib/languages/go'
import ini from 'highlight.js/lib/languages/ini'
import java from 'highlight.js/lib/languages/java'
import javascript from 'highlight.js/lib/languages/javascript'
import json from 'highlight.js/lib/languages/json'
import kotlin from 'highlight.js/lib/languages/kotlin'
import makefile from 'highlight.js/lib/languages/makefile'
import markdown from 'highlight.js/lib/languages/markdown'
import php from 'highlight.js/lib/languages/php'
import python from 'highlight.js/lib/languages/python'
import ruby from 'highlight.js/lib/languages/ruby'
import rust from 'highlight.js/lib/languages/rust'
import sql from 'highlight.js/lib/languages/sql'
import swift from 'highlight.js/lib/languages/swift'
import typescript from 'highlight.js/lib/languages/typescript'
import xml from 'highlight.js/lib/languages/xml'
import yaml from 'highlight.js/lib/languages/yaml'
import { Html, html } from './html.ts'

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  sql,
  swift,
  typescript,
  xml,
  yaml,
}

for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language)
hljs.configure({ classPrefix: 'hl-' })

/** Whether code in a language is highlighted, by its name or another one of it. */
export const isKnown = (language: string): boolean => hljs.getLanguage(language) !== undefined

/** Longer code is not highlighted: its page would triple in size. */
const LONGEST = 100_000

/** Code as HTML, with a class for each kind of word; plain if the language is not known or the code is long. */
export function highlight(code: string, language: string | undefined): Html {
  if (language === undefined || code.length > LONGEST || !isKnown(language)) {
    return html`${code}`
  }
  return Html.trust(hljs.highlight(code, { language, ignoreIllegals: true }).value)
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
