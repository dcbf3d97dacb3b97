import { escapeHtml } from '../../http/escape-html.ts'
import { HttpError } from '../../http/http-error.ts'
import type { Answer, Handler, RequestContext } from '../request-context.ts'
import { type AuthorizationRequest, verifyAuthorizationRequest } from '../state/sign.ts'

/** The page on which a user authorizes a token for an organization. It identifies the token by its last characters. */
export const showSingleSignOn: Handler = (context) => {
  const text = context.query.get('authorization_request') ?? ''
  const { tokenLastEight, organization } = verify(context, text)
  return page(
    `Authorize a token for ${organization}`,
    `<p>The token that ends in <code>${escapeHtml(tokenLastEight)}</code> asks for access to
<strong>${escapeHtml(organization)}</strong>.</p>
<form method="post">
<input type="hidden" name="authorization_request" value="${escapeHtml(text)}">
<button>Authorize</button>
</form>`,
  )
}

/** Authorizes the token that the form names. */
export const grantSingleSignOn: Handler = (context) => {
  const form = new URLSearchParams(context.text)
  const request = verify(context, form.get('authorization_request') ?? '')
  const { tokenSha256, tokenLastEight, organization } = request
  context.server.state.authorizations.grant(tokenSha256, organization)
  return page(
    `Authorized for ${organization}`,
    `<p>The token that ends in <code>${escapeHtml(tokenLastEight)}</code> may now be used with
<strong>${escapeHtml(organization)}</strong>.</p>`,
  )
}

function verify({ params, now, server }: RequestContext, text: string): AuthorizationRequest {
  const request = verifyAuthorizationRequest(server.state.signingKey, text, now.getTime())
  if (request?.organization.toLowerCase() === params.org?.toLowerCase() && request) return request
  throw new HttpError(403, 'This request is not one of this server, or has expired')
}

const page = (title: string, body: string): Answer => ({
  status: 200,
  text: `<!DOCTYPE html>
<html lang="en">
<meta charset="utf-8">
<title>${escapeHtml(title)}</title>
<h1>${escapeHtml(title)}</h1>
${body}
</html>
`,
  headers: {
    'Content-Type': 'text/html; charset=utf-8',
    'Content-Security-Policy': "default-src 'none'; form-action 'self'; frame-ancestors 'none'",
    // Without this, a browser sends `Origin: null` with the form, and the server refuses it.
    'Referrer-Policy': 'same-origin',
    'Cache-Control': 'private, no-store',
  },
})
