import { leakedInternals } from '../../../../src/lint/rules/leakedInternals.ts';
import { testRule, ts, v1 } from './ruleTable.ts';

testRule(
  leakedInternals,
  [
    {
      name: 'a trace for the log',
      path: 'a.py',
      text: v1(
        'try:\n    return go(x)\nexcept Exception as e:\n    log.error(traceback.format_exc())\n    raise ToolError(str(e))',
      ),
    },
    {
      name: 'a trace for debugging',
      path: 'a.ts',
      text: ts(
        'try {\n  return await go(x);\n} catch (e) {\n  return { isError: true, content: [{ type: "text", text: DEBUG ? e.stack : e.message }] };\n}',
      ),
    },
    {
      name: 'a field that is called stack',
      path: 'a.ts',
      text: ts('return { content: [{ type: "text", text: cloud.stack }] };'),
    },
    {
      name: 'a body that is the answer',
      path: 'a.py',
      text: v1('response = get(x)\nreturn response.text'),
    },
    {
      name: 'the beginning of a body',
      path: 'a.py',
      text: v1(
        'response = get(x)\nif not response.ok:\n    raise ToolError(f"failed: {response.text[:200]}")\nreturn "ok"',
      ),
    },
    {
      name: 'a driver error in words of the tool',
      path: 'a.py',
      text: v1(
        'try:\n    return go(x)\nexcept sqlite3.Error as e:\n    log.error(e)\n    raise ToolError("The books cannot be read now")',
      ),
    },
  ],
  [
    {
      name: 'a traceback that is raised',
      path: 'a.py',
      text: v1('try:\n    return go(x)\nexcept Exception:\n    «raise RuntimeError(traceback.format_exc())»'),
      message: 'trace',
      confidence: 'high',
      fixed: v1('try:\n    return go(x)\nexcept Exception as exc:\n    raise RuntimeError(str(exc))'),
    },
    {
      name: 'a traceback in a variable',
      path: 'a.py',
      text: v1(
        'try:\n    return go(x)\nexcept Exception as e:\n    trace = traceback.format_exc()\n    «return f"Error: {e}\\n{trace}"»',
      ),
      message: 'trace',
      confidence: 'high',
      fixed: v1(
        'try:\n    return go(x)\nexcept Exception as e:\n    trace = str(e)\n    return f"Error: {e}\\n{trace}"',
      ),
    },
    {
      name: 'a stack in a result',
      path: 'a.ts',
      text: ts(
        'try {\n  return await go(x);\n} catch (error) {\n  «return {\n    isError: true,\n    content: [{ type: "text", text: error.stack }],\n  };»\n}',
      ),
      message: 'trace',
      confidence: 'high',
      fixed: ts(
        'try {\n  return await go(x);\n} catch (error) {\n  return {\n    isError: true,\n    content: [{ type: "text", text: error.message }],\n  };\n}',
      ),
    },
    {
      name: 'what a driver says',
      path: 'a.py',
      text: v1('try:\n    return go(x)\nexcept psycopg2.Error as e:\n    «raise ToolError(f"failed: {e}") from e»'),
      message: 'driver',
      confidence: 'medium',
    },
    {
      name: 'an upstream body',
      path: 'a.ts',
      text: ts(
        'const response = await fetch(x, options);\nif (!response.ok) {\n  «throw new Error("API error: " + (await response.text()));»\n}\nreturn ok();',
      ),
      message: 'body',
      confidence: 'medium',
    },
    {
      name: 'an upstream body in an error without a flag',
      path: 'a.py',
      text: v1('response = get(x)\nif not response.ok:\n    «return f"Error: {response.text}"»\nreturn "ok"'),
      message: 'body',
      confidence: 'low',
    },
  ],
);
