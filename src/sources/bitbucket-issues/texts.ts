/**
 * A text as Markdown: blocks and spans of code that are written `{{{` and `}}}`. Until 2012 texts were Creole, and nothing says
 * which ones are; other marks of it also mean something in Markdown, so they stay.
 */
export function asMarkdown(text: string): string {
  if (!text.includes('{{{')) return text
  const lines = text.split('\n')
  const out: string[] = []
  /** The fence of Markdown that is open. */
  let fence = ''
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i] as string
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1] ?? ''
    if (fence !== '') {
      if (mark.startsWith(fence) && /^[ `~\r]*$/.test(line)) fence = ''
      out.push(line)
    } else if (mark !== '') {
      fence = mark
      out.push(line)
    } else {
      const end = /^\s*\{\{\{\s*$/.test(line) ? endOf(lines, i) : undefined
      if (end === undefined) out.push(spansOf(line))
      else {
        out.push(...fenced(lines.slice(i + 1, end)))
        i = end
      }
    }
  }
  return out.join('\n')
}

/** The line that ends a block of code. */
function endOf(lines: readonly string[], start: number): number | undefined {
  for (let i = start + 1; i < lines.length; i++) {
    if (/^\s*\}\}\}\s*$/.test(lines[i] as string)) return i
    if (/^\s*\{\{\{\s*$/.test(lines[i] as string)) return undefined
  }
  return undefined
}

function fenced(lines: readonly string[]): string[] {
  const [, language] = /^\s*#!\s*([\w+#.-]+)\s*$/.exec(lines[0] ?? '') ?? []
  const code = language === undefined ? lines : lines.slice(1)
  const longest = Math.max(2, ...code.map((line) => /`{3,}/.exec(line)?.[0].length ?? 0))
  const fence = '`'.repeat(longest + 1)
  return [fence + (language ?? ''), ...code, fence]
}

/** Spans in a line, outside of code that Markdown marks. */
const spansOf = (line: string): string =>
  line.replace(/`[^`]*`|\{\{\{((?:(?!\{\{\{|\}\}\})[^`])+)\}\}\}/g, (all, code?: string) =>
    code === undefined ? all : `\`${code}\``,
  )
