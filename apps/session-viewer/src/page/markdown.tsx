import { lexer, type MarkedToken, type Token, type Tokens } from "marked";
import type { ComponentChildren, JSX } from "preact";
import { useMemo } from "preact/hooks";

/** Text of a transcript is written by strangers: beyond this it is shown as it is, since nested marks can take long to parse. */
const maxLength = 20_000;
/** Deeper nesting is not writing. */
const maxDepth = 24;

/**
 * Shows Markdown. The text becomes tokens, and the tokens become elements that this file names: there is no way for HTML, a style or a handler
 * of the text into the page.
 */
export function Markdown({ text }: { readonly text: string }): JSX.Element {
  const blocks = useMemo(() => parse(text), [text]);
  return blocks === undefined ? <pre class="plain">{text}</pre> : <div class="markdown">{render(blocks, 0)}</div>;
}

function parse(text: string): Token[] | undefined {
  if (text.length > maxLength) return undefined;
  try {
    return lexer(text, { gfm: true });
  } catch {
    return undefined;
  }
}

function render(tokens: readonly Token[] | undefined, depth: number): ComponentChildren {
  if (tokens === undefined) return null;
  if (depth > maxDepth) return tokens.map(({ raw }) => raw);
  return tokens.map((token, index) => <Node key={index} token={token as MarkedToken} depth={depth + 1} />);
}

function Node({ token, depth }: { readonly token: MarkedToken; readonly depth: number }): ComponentChildren {
  switch (token.type) {
    case "paragraph":
      return <p>{render(token.tokens, depth)}</p>;
    case "text":
      return "tokens" in token && token.tokens !== undefined ? render(token.tokens, depth) : decodeEntities(token.text);
    case "strong":
      return <strong>{render(token.tokens, depth)}</strong>;
    case "em":
      return <em>{render(token.tokens, depth)}</em>;
    case "del":
      return <del>{render(token.tokens, depth)}</del>;
    case "codespan":
      return <code>{token.text}</code>;
    case "code":
      return (
        <pre class="code" tabIndex={-1}>
          {token.lang ? <span class="language">{token.lang}</span> : null}
          <code>{token.text}</code>
        </pre>
      );
    case "heading":
      // The page has its own headings; those of a text are below them.
      return <p class={`heading heading-${token.depth}`}>{render(token.tokens, depth)}</p>;
    case "blockquote":
      return <blockquote>{render(token.tokens, depth)}</blockquote>;
    case "list":
      return <List token={token} depth={depth} />;
    case "table":
      return <Table token={token} depth={depth} />;
    case "link":
      return <Link href={token.href}>{render(token.tokens, depth)}</Link>;
    case "image":
      return <Image href={token.href} text={token.text} />;
    case "br":
      return <br />;
    case "hr":
      return <hr />;
    case "escape":
      return token.text;
    case "space":
    case "def":
      return null;
    default:
      // HTML among them: shown, not followed.
      return token.raw;
  }
}

function List({ token, depth }: { readonly token: Tokens.List; readonly depth: number }): JSX.Element {
  const items = token.items.map((item, index) => (
    <li key={index}>
      {item.task ? <input type="checkbox" checked={item.checked === true} disabled aria-label="Task" /> : null}
      {render(item.tokens, depth)}
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function Table({ token, depth }: { readonly token: Tokens.Table; readonly depth: number }): JSX.Element {
  return (
    <div class="table">
      <table>
        <thead>
          <tr>
            {token.header.map((cell, index) => (
              <th key={index}>{render(cell.tokens, depth)}</th>
            ))}
          </tr>
        </thead>
        <tbody>
          {token.rows.map((row, index) => (
            <tr key={index}>
              {row.map((cell, column) => (
                <td key={column}>{render(cell.tokens, depth)}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Only the web is linked to. Other schemes run programs, or code. */
function Link({ href, children }: { readonly href: string; readonly children: ComponentChildren }): JSX.Element {
  const url = webUrl(href);
  if (url === undefined) return <span title={href.slice(0, 200)}>{children}</span>;
  return (
    <a href={url} target="_blank" rel="noopener noreferrer">
      {children}
    </a>
  );
}

/** Pictures from the web would tell their server who reads; they become links. */
function Image({ href, text }: { readonly href: string; readonly text: string }): JSX.Element {
  const label = text === "" ? "image" : text;
  if (/^data:image\/(?:png|jpeg|gif|webp);base64,[A-Za-z0-9+/]+={0,2}$/.test(href))
    return <img src={href} alt={label} />;
  return <Link href={href}>{label}</Link>;
}

function webUrl(href: string): string | undefined {
  try {
    const url = new URL(href);
    return url.protocol === "http:" || url.protocol === "https:" ? url.href : undefined;
  } catch {
    return undefined;
  }
}

const entities: Readonly<Record<string, string>> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  "#39": "'",
  nbsp: "\u00a0",
};

/** Markdown knows the names of characters. These are the ones that people write. */
function decodeEntities(text: string): string {
  return text.replace(/&(amp|lt|gt|quot|#39|nbsp);/g, (whole, name: string) => entities[name] ?? whole);
}
