/**
 * The code blocks of a Markdown document, to be run and compared. The notation:
 *
 *     $ marc load samples/hello.tar.gz      a command, which goes on after `\` and in lines that begin with `> `
 *     hello.tar.gz                          and its output, in which a line `…` or `...` stands for any lines
 *     x: …                                  at the end of a line for its rest, and any duration or rate for any
 *
 * A block without `$ ` is a script, which only has to succeed.
 */

export interface Block {
  language: string
  text: string
  /** Where its text begins in the document, from 1. */
  line: number
}

export interface Command {
  text: string
  /** The expected output; undefined if the document does not show any. */
  output?: string
}

/** The fenced blocks of a document, those within lists included. */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  let open: (Block & { fence: string; indent: number; lines: string[] }) | undefined
  for (const [index, line] of markdown.split(/\r?\n/).entries()) {
    const [, indent = '', fence, info = ''] = /^( *)(`{3,}|~{3,})\s*(.*?)\s*$/.exec(line) ?? []
    if (open && fence?.startsWith(open.fence) && info === '') {
      blocks.push({ language: open.language, text: open.lines.join('\n'), line: open.line })
      open = undefined
    } else if (open) {
      open.lines.push(line.replace(new RegExp(`^ {0,${open.indent}}`), ''))
    } else if (fence) {
      const language = info.split(/\s/)[0] ?? ''
      open = { language, fence, indent: indent.length, lines: [], text: '', line: index + 2 }
    }
  }
  if (open) throw new Error(`the block in line ${open.line - 1} is never closed`)
  return blocks
}

/** The commands of a block of shell. */
export function commandsOf(text: string): Command[] {
  if (!/^\$ /m.test(text)) return [{ text }]
  const commands: { lines: string[]; output: string[] }[] = []
  let continues = false
  for (const line of text.split('\n')) {
    const last = commands.at(-1)
    if (line.startsWith('$ ')) commands.push({ lines: [line.slice(2)], output: [] })
    else if (!last) throw new Error(`this stands before any command: ${line}`)
    else if (continues || (line.startsWith('> ') && last.output.length === 0)) {
      last.lines.push(line.replace(/^> /, ''))
    } else last.output.push(line)
    continues = line.endsWith('\\') && commands.at(-1)?.output.length === 0
  }
  return commands.map(({ lines, output }) => ({
    text: lines.join('\n'),
    output: output.join('\n').trimEnd(),
  }))
}

/** `expected`, as the document has it, if what was printed fits it; else what was printed. */
export function fitToDocument(printed: string, expected: string): string {
  const pattern = comparable(expected).split('\n').map(asPattern).join('')
  const found = comparable(printed)
  return new RegExp(`^${pattern}$`).test(`${found}\n`) ? comparable(expected) : found
}

function asPattern(line: string): string {
  if (/^(?:…|\.{3})$/.test(line)) return '(?:.*\n)*'
  const literal = line.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')
  return `${literal.replace(/…$/, '.*')}\n`
}

/** The text without what differs from one run to the next. */
export function comparable(text: string): string {
  return text
    .replace(/[ \t]+$/gm, '')
    .replace(/\n+$/, '')
    .replace(/\b[\d.,]+ [KMG]?i?B\/s\b/g, '<rate>')
    .replace(/\b\d+ min(?: \d+ s)?\b|\b[\d.,]+ ?m?s\b/g, '<time>')
    .replace(/"seconds":[\d.]+/g, '"seconds":<time>')
}
