import { unescapeHtml } from '../http/escape-html.ts'
import { type Rendered, render } from '../http/rendered.ts'
import type { Reference } from '../reading/markdown/references.ts'
import { asText } from '../reading/values.ts'
import { isObject, type JsonObject } from '../records/json/json.ts'
import type { RequestHead } from './request-context.ts'

/** An answer whose texts have the form that the request asks for: as they were written, as HTML, as plain text, or all of them. */
export async function inForm(rendered: Rendered, head: RequestHead): Promise<Rendered> {
  const { form } = head.media
  if (form !== 'html' && form !== 'text' && form !== 'full') return rendered
  const records: JsonObject[] = []
  const answer = JSON.parse(Buffer.concat(rendered.pieces).toString(), (_, value) => {
    if (isObject(value) && 'body' in value && 'html_url' in value) records.push(value)
    return value
  })
  for (const record of records) {
    const { body, html_url } = record
    const address = addressesFor(head, asText(html_url))
    const html = typeof body === 'string' ? await head.server.renderText(body, address) : null
    if (form !== 'full') delete record.body
    if (form !== 'text') record.body_html = html
    if (form !== 'html') record.body_text = html && textOf(html)
  }
  return render(answer)
}

/** Finds the addresses of what a text refers to, as far as the caller may know of it. References to commits and teams stay text. */
function addressesFor(head: RequestHead, htmlUrl: string) {
  return (reference: Reference): string | undefined => {
    // The index may be another one by now.
    const { repositories, threads, people, permissions } = head.server.catalog.read()
    if (reference.kind === 'person') return people.findByLogin(reference.login)?.url
    if (reference.kind !== 'thread') return undefined
    const { repository: name, number } = reference
    const repository =
      name === undefined
        ? repositories.findByUrl(htmlUrl.split('/', 5).join('/'))
        : repositories.findByName(name)
    if (!repository || !permissions.canRead(head.caller, repository)) return undefined
    const thread = threads.findByNumber(repository, number, 'issues')
    return thread && `${repository.url}/${thread.isPull ? 'pull' : 'issues'}/${number}`
  }
}

/** The text of HTML that was rendered here: each < begins a tag, and no other characters are written as entities. */
const textOf = (html: string): string => unescapeHtml(html.replace(/<[^<>]*>/g, '')).trim()
