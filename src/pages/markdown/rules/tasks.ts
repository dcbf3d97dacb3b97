import type { MarkdownIt } from 'markdown-it'

/** `- [x] done` becomes an item with a checkbox that is disabled. */
export function addTasks(parser: MarkdownIt): void {
  parser.core.ruler.after('inline', 'tasks', ({ tokens, Token }) => {
    for (const [i, token] of tokens.entries()) {
      const isItem =
        tokens[i - 1]?.type === 'paragraph_open' && tokens[i - 2]?.type === 'list_item_open'
      const first = token.type === 'inline' && isItem ? token.children?.[0] : undefined
      const [mark, box] = /^\[([ xX])\](?=\s)/.exec(first?.content ?? '') ?? []
      if (first?.type !== 'text' || mark === undefined) continue
      first.content = first.content.slice(mark.length)
      const task = new Token('task_box', 'input', 0)
      task.meta = { isDone: box !== ' ' }
      token.children?.unshift(task)
    }
  })
}
