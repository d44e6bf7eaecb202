import { afterAll, describe, expect, it } from 'vitest';
import { engine, linesIn, markedLines } from '../lintText.ts';

/** A file whose helper stands in another one, which makes an error of it. */
interface Followed {
  readonly name: string;
  readonly path: string;
  /** Lines with a finding end in `<- here`; `//` or `#` as the language has it. */
  readonly text: string;
  readonly helper: string;
  readonly helperText: string;
}

const java = (body: string, head = '', base = '') =>
  `package org.acme.tools;\n${head}\nimport org.springaicommunity.mcp.annotation.McpTool;\n\npublic class BookTools${base} {\n    @McpTool\n    public CallToolResult lend(String isbn) {\n${body}\n    }\n}\n`;
const javaHelper = (name: string, isError: boolean, packaged = 'org.acme.tools') =>
  `package ${packaged};\npublic class ${name} {\n    public static CallToolResult answer(String text) {\n        return CallToolResult.builder().addTextContent("Error: " + text)${isError ? '.isError(true)' : ''}.build();\n    }\n}\n`;
const kotlin = (body: string, head = '', base = '') =>
  `package org.acme.tools\n${head}\nimport io.modelcontextprotocol.kotlin.sdk.types.CallToolResult\n\nclass BookTools${base} {\n    suspend fun lend(request: CallToolRequest): CallToolResult {\n${body}\n    }\n}\n`;
const kotlinHelper = (head: string, isError: boolean, packaged = 'org.acme.tools') =>
  `package ${packaged}\n${head} {\n    fun answer(text: String): CallToolResult =\n        CallToolResult(content = listOf(TextContent("Error: $text"))${isError ? ', isError = true' : ''})\n}\n`;
const csharp = (body: string) =>
  `using ModelContextProtocol.Server;\npublic class BookTools {\n    [McpServerTool]\n    public static CallToolResult Lend(string isbn) {\n${body}\n    }\n}\n`;
const csharpHelper = (flag: string) =>
  `public static class Answers {\n    public static CallToolResult Make(string text) {\n        return new CallToolResult { ${flag}Content = [new TextContentBlock { Text = $"Error: {text}" }] };\n    }\n}\n`;
const php = (body: string, head: string, base = '') =>
  `<?php\nnamespace Acme\\Mcp\\Tools;\nuse PhpMcp\\Server\\Attributes\\McpTool;\n${head}\nclass BookTools${base}\n{\n    #[McpTool]\n    public function lend(string $isbn): CallToolResult\n    {\n${body}\n    }\n}\n`;
const phpHelper = (name: string, isError: boolean) =>
  `<?php\nnamespace Acme\\Mcp\\Support;\nclass ${name}\n{\n    public static function make(string $text): CallToolResult\n    {\n        return new CallToolResult([new TextContent("Error: $text")], ${isError});\n    }\n}\n`;
const ruby = (body: string, base = 'MCP::Tool') =>
  `require "mcp"\nclass Lend < ${base}\n  description "lend"\n  def self.call(isbn:)\n${body}\n    MCP::Tool::Response.new([{ type: "text", text: "ok" }])\n  end\nend\n`;
const rubyHelper = (name: string, more: string) =>
  `class ${name} < MCP::Tool\n  def self.answer(text)\n    MCP::Tool::Response.new([{ type: "text", text: "Error: #{text}" }]${more})\n  end\nend\n`;
const rust = (body: string, head: string) =>
  `use rmcp::{model::*, tool};\n${head}\n\nimpl Books {\n    #[tool(description = "lend")]\n    fn lend(&self, isbn: String) -> Result<CallToolResult, ErrorData> {\n${body}\n    }\n}\n`;
const rustHelper = (made: string) =>
  `use rmcp::model::*;\n\npub fn answer(text: &str) -> CallToolResult {\n    CallToolResult::${made}(vec![Content::text(format!("Error: {}", text))])\n}\n`;

const wrong = (call: string) => ` if (bad(isbn)) return ${call}; // <- here\n        return ok();`;
const right = (call: string) => ` if (bad(isbn)) return ${call};\n        return ok();`;

const cases: readonly Followed[] = [
  ...[false, true].flatMap((isError): Followed[] => {
    const line = isError ? right : wrong;
    const says = isError ? 'sets the flag' : 'forgets the flag';
    return [
      {
        name: `a class of the same package ${says} in Java`,
        path: '/w/src/main/java/org/acme/tools/BookTools.java',
        text: java(line('Answers.answer(isbn)')),
        helper: '/w/src/main/java/org/acme/tools/Answers.java',
        helperText: javaHelper('Answers', isError),
      },
      {
        name: `an imported class ${says} in Java`,
        path: '/w/src/main/java/org/acme/tools/BookTools.java',
        text: java(line('Answers.answer(isbn)'), 'import org.acme.support.Answers;'),
        helper: '/w/src/main/java/org/acme/support/Answers.java',
        helperText: javaHelper('Answers', isError, 'org.acme.support'),
      },
      {
        name: `a base class ${says} in Java`,
        path: '/w/src/main/java/org/acme/tools/BookTools.java',
        text: java(line('answer(isbn)'), '', ' extends Base'),
        helper: '/w/src/main/java/org/acme/tools/Base.java',
        helperText: javaHelper('Base', isError),
      },
      {
        name: `an object of the same package ${says} in Kotlin`,
        path: '/w/src/main/kotlin/org/acme/tools/BookTools.kt',
        text: kotlin(line('Answers.answer(isbn)')),
        helper: '/w/src/main/kotlin/org/acme/tools/Answers.kt',
        helperText: kotlinHelper('object Answers', isError),
      },
      {
        name: `an imported class with a companion ${says} in Kotlin`,
        path: '/w/src/main/kotlin/org/acme/tools/BookTools.kt',
        text: kotlin(line('Answers.answer(isbn)'), 'import org.acme.support.Answers'),
        helper: '/w/src/main/kotlin/org/acme/support/Answers.kt',
        helperText: kotlinHelper('class Answers { companion object', isError, 'org.acme.support').concat('}\n'),
      },
      {
        name: `a base class ${says} in Kotlin`,
        path: '/w/src/main/kotlin/org/acme/tools/BookTools.kt',
        text: kotlin(line('answer(isbn)'), '', ' : Base()'),
        helper: '/w/src/main/kotlin/org/acme/tools/Base.kt',
        helperText: kotlinHelper('abstract class Base', isError),
      },
      {
        name: `a class of the same folder ${says} in C#`,
        path: '/w/Tools/BookTools.cs',
        text: csharp(line('Answers.Make(isbn)')),
        helper: '/w/Tools/Answers.cs',
        helperText: csharpHelper(isError ? 'IsError = true, ' : ''),
      },
      {
        name: `a class of another namespace ${says} in PHP`,
        path: '/w/src/Mcp/Tools/BookTools.php',
        text: php(line('Answers::make($isbn)'), 'use Acme\\Mcp\\Support\\Answers;'),
        helper: '/w/src/Mcp/Support/Answers.php',
        helperText: phpHelper('Answers', isError),
      },
      {
        name: `a class of the same namespace ${says} in PHP`,
        path: '/w/src/Mcp/Tools/BookTools.php',
        text: php(line('Answers::make($isbn)'), ''),
        helper: '/w/src/Mcp/Tools/Answers.php',
        helperText: phpHelper('Answers', isError),
      },
      {
        name: `a class of the same folder ${says} in Ruby`,
        path: '/w/lib/tools/lend.rb',
        text: ruby(`    return BookAnswers.answer(isbn) if bad(isbn)${isError ? '' : ' # <- here'}`),
        helper: '/w/lib/tools/book_answers.rb',
        helperText: rubyHelper('BookAnswers', isError ? ', error: true' : ''),
      },
      {
        name: `a function that is used by its name ${says} in Rust`,
        path: '/w/src/tools/books.rs',
        text: rust(
          `        if bad(&isbn) { return Ok(answer(&isbn)); }${isError ? '' : ' // <- here'}\n        Ok(good())`,
          'use crate::{support::{answer, other}, config};',
        ),
        helper: '/w/src/support.rs',
        helperText: rustHelper(isError ? 'error' : 'success'),
      },
      {
        name: `a module beside the file ${says} in Rust`,
        path: '/w/src/tools/mod.rs',
        text: rust(
          `        if bad(&isbn) { return Ok(support::answer(&isbn)); }${isError ? '' : ' // <- here'}\n        Ok(good())`,
          'mod support;',
        ),
        helper: '/w/src/tools/support.rs',
        helperText: rustHelper(isError ? 'error' : 'success'),
      },
      {
        name: `a module of the one above ${says} in Rust`,
        path: '/w/src/tools/books.rs',
        text: rust(
          `        if bad(&isbn) { return Ok(support::answer(&isbn)); }${isError ? '' : ' // <- here'}\n        Ok(good())`,
          'use super::support;',
        ),
        helper: '/w/src/tools/support/mod.rs',
        helperText: rustHelper(isError ? 'error' : 'success'),
      },
    ];
  }),
];

afterAll(() => {
  engine.dispose();
});

describe('what a helper in another file gives back', () => {
  it.each(cases)('$name', async ({ path, text, helper, helperText }) => {
    const lines = await linesIn(path, text, {
      readFile: async (asked) => (asked === helper ? helperText : undefined),
    });
    expect(lines).toEqual(markedLines(text));
  });

  it.each([
    [
      'a class of the SDK in Java',
      '/w/src/main/java/org/acme/tools/BookTools.java',
      java(right('McpSchema.make(String.valueOf(isbn))'), 'import io.modelcontextprotocol.spec.McpSchema;'),
    ],
    [
      'a class of the SDK in Kotlin',
      '/w/src/main/kotlin/org/acme/tools/BookTools.kt',
      kotlin(right('McpJson.make(isbn)'), 'import io.modelcontextprotocol.kotlin.sdk.types.McpJson'),
    ],
    ['a class of the platform in C#', '/w/Tools/BookTools.cs', csharp(right('JsonSerializer.Serialize(isbn)'))],
    [
      'a class of a library in PHP',
      '/w/src/Mcp/BookTools.php',
      php(right('Http::get($isbn)'), 'use Illuminate\\Support\\Facades\\Http;'),
    ],
    ['a class of the SDK in Ruby', '/w/lib/lend.rb', ruby('    return JSON.generate(isbn) if x')],
    ['a crate in Rust', '/w/src/a.rs', rust('        Ok(answer(&isbn))', 'use helpers::answer;')],
  ])('is not looked for in %s', async (_, path, text) => {
    const asked: string[] = [];
    await linesIn(path, text, {
      readFile: async (file) => {
        asked.push(file);
        return undefined;
      },
    });
    expect(asked).toEqual([]);
  });
});
