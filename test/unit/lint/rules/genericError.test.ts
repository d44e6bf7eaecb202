import { genericError } from '../../../../src/lint/rules/genericError.ts';
import { go, testRule, ts, v1 } from './ruleTable.ts';

testRule(
  genericError,
  [
    {
      name: 'the caught error in the text',
      path: 'a.py',
      text: v1('try:\n    return go(x)\nexcept Exception as e:\n    raise ToolError(f"failed: {e}")'),
    },
    {
      name: 'an error of one kind',
      path: 'a.py',
      text: v1('try:\n    return go(x)\nexcept TimeoutError:\n    raise ToolError("The library does not answer")'),
    },
    {
      name: 'errors that are told apart',
      path: 'a.ts',
      text: ts(
        'try {\n  return await go(x);\n} catch (e) {\n  if (e.status === 404) {\n    return { isError: true, content: [{ type: "text", text: "No such book" }] };\n  }\n  throw e;\n}',
      ),
    },
    {
      name: 'a text that the cause is added to',
      path: 'a.py',
      text: v1(
        'try:\n    return go(x)\nexcept Exception as e:\n    text = "Failed to read the books"\n    text += str(e)\n    return text',
      ),
    },
    {
      name: 'what is wrong with an argument',
      path: 'a.go',
      text: go(
        'count, err := strconv.Atoi(request.Count)\nif err != nil {\n\treturn mcp.NewToolResultError("count must be a number"), nil\n}\nreturn mcp.NewToolResultText(read(count)), nil',
      ),
    },
    {
      name: 'a refusal with a reason',
      path: 'a.ts',
      text: ts('if (!x) {\n  throw new Error("x is required");\n}\nreturn ok();'),
    },
    {
      name: 'a result that says more in its data',
      path: 'a.ts',
      text: ts('return { isError: true, content: [], structuredContent: { reason } };'),
    },
  ],
  [
    {
      name: 'the same sentence for everything',
      path: 'a.py',
      text: v1(
        'try:\n    return go(x)\nexcept Exception as e:\n    «raise ToolError("Failed to read the books") from e»',
      ),
      message: 'sentence',
      confidence: 'medium',
    },
    {
      name: 'a sentence that says nothing',
      path: 'a.ts',
      text: ts(
        'try {\n  return await go(x);\n} catch {\n  «return { isError: true, content: [{ type: "text", text: "An unexpected error occurred" }] };»\n}',
      ),
      message: 'sentence',
      confidence: 'high',
    },
    {
      name: 'also without a flag',
      path: 'a.py',
      text: v1('try:\n    return go(x)\nexcept Exception:\n    «return {"error": "Something went wrong"}»'),
      message: 'sentence',
      confidence: 'high',
    },
    {
      name: 'an error without a text',
      path: 'a.ts',
      text: ts('if (!x) {\n  «throw new Error();»\n}\nreturn ok();'),
      message: 'empty',
      confidence: 'high',
    },
    {
      name: 'an error result without content',
      path: 'a.ts',
      text: ts('if (!x) {\n  «return { isError: true, content: [] };»\n}\nreturn ok();'),
      message: 'empty',
      confidence: 'high',
    },
  ],
);
