import { setImmediate } from 'node:timers/promises'
import type { RenderText } from '../rest/request-context.ts'

/** Renders a text for the interface by the renderer of pages, which is loaded with the first. Others are answered in between. */
export const renderText: RenderText = async (text, addressOf) => {
  const { renderMarkdown } = await import('../pages/markdown/render-markdown.ts')
  await setImmediate()
  const html = renderMarkdown(text, {
    link: (url) => (isWeb(url) ? { href: url } : undefined),
    reference(reference) {
      const address = addressOf(reference)
      return address !== undefined && isWeb(address) ? address : undefined
    },
    picture: () => undefined,
    // A heading in a text is the first of its kind.
    level: 0,
  })
  return html.toString()
}

const isWeb = (url: string): boolean => /^https?:\/\//i.test(url)
