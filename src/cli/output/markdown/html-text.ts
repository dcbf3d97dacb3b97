/** The visible text of HTML: no comments, no tags, images as names and URLs. */
export function textOfHtml(html: string): string {
  return html
    .replace(/<!--[\s\S]*?(?:-->|$)/g, '')
    .replace(/<br\s*\/?>|<\/(?:p|div|li|tr|summary|h[1-6])>/gi, '\n')
    .replace(/<img\s([^<>]*)>/gi, (_, attributes: string) => {
      const src = attributeOf(attributes, 'src')
      return src === '' ? '' : `[${attributeOf(attributes, 'alt') || 'image'}] (${src})`
    })
    .replace(/<[/a-z!?][^<>]*>/gi, '')
}

const attributeOf = (attributes: string, name: string): string => {
  const found = new RegExp(`(?:^|\\s)${name}=(?:"([^"]*)"|'([^']*)')`, 'i').exec(attributes)
  return found?.[1] ?? found?.[2] ?? ''
}
