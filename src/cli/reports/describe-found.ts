import type { FoundText, Snippet } from '../../search/snippets.ts'
import type { Io } from '../command/io.ts'
import { type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { type Styles, stylesFor } from '../output/styles.ts'
import { type Span, wrapSpans } from '../output/wrap-spans.ts'

/** The results of a search for people: place and facts, title, snippet. */
export function* describeFound(
  found: Iterable<FoundText>,
  { stdout, env }: Io,
): Generator<SafeText> {
  const styles = stylesFor(stdout, env)
  const width = stdout.columns || 80
  let between = safe``
  for (const text of found) {
    const lines = [
      ...wrapSpans(circumstances(text, styles), width),
      ...indented(spansOf(text.title, styles, styles.bold), width),
      ...indented(spansOf(text.snippet, styles), width),
    ]
    yield safe`${between}${lines.join('\n')}\n`
    between = safe`\n`
  }
}

const indented = (spans: readonly Span[], width: number): SafeText[] =>
  spans.length === 0 ? [] : wrapSpans(spans, width - 2).map((line) => safe`  ${line}`)

const circumstances = (
  { place, url, kind, state, author, created_at }: FoundText,
  { cyan, dim }: Styles,
): Span[] => {
  const others = [kind.replaceAll('_', ' '), state, author, created_at?.slice(0, 10)]
  const shown = others.filter((text) => text).map((text) => escapeControls(text as string))
  return [
    { text: safe`${escapeControls(place ?? url ?? '')} `, style: cyan },
    { text: shown.join(' · '), style: dim },
  ]
}

const spansOf = (pieces: readonly Snippet[], { yellow }: Styles, style?: Span['style']): Span[] =>
  pieces.map(({ text, matched }) => ({
    text: escapeControls(text),
    style: matched ? yellow : style,
  }))
