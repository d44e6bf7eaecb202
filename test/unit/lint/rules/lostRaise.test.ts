import { lostRaise } from '../../../../src/lint/rules/lostRaise.ts';
import { lowTs, testRule, ts, v1 } from './ruleTable.ts';

testRule(
  lostRaise,
  [
    {
      name: 'an except that lets it through',
      path: 'a.py',
      text: v1(
        'try:\n    if not x:\n        raise ToolError("no")\n    return go(x)\nexcept ToolError:\n    raise\nexcept Exception as e:\n    return str(e)',
      ),
    },
    {
      name: 'an except that raises',
      path: 'a.py',
      text: v1(
        'try:\n    if not x:\n        raise ValueError("no")\n    return go(x)\nexcept Exception as e:\n    raise ToolError(str(e)) from e',
      ),
    },
    {
      name: 'an except for this very class',
      path: 'a.py',
      text: v1(
        'try:\n    if not x:\n        raise ValueError("no")\n    return go(x)\nexcept ValueError:\n    return "nothing"',
      ),
    },
    {
      name: 'a catch that sets the flag',
      path: 'a.ts',
      text: ts(
        'try {\n  if (!x) throw new Error("no");\n  return go(x);\n} catch (e) {\n  return { isError: true, content: [{ type: "text", text: e.message }] };\n}',
      ),
    },
    {
      name: 'a catch that asks a helper from elsewhere',
      path: 'a.ts',
      text: ts('try {\n  if (!x) throw new Error("no");\n  return go(x);\n} catch (e) {\n  return failure(e);\n}'),
    },
    {
      name: 'a throw outside of the try',
      path: 'a.py',
      text: v1(
        'if not x:\n    raise ValueError("no")\ntry:\n    return go(x)\nexcept Exception as e:\n    return str(e)',
      ),
    },
    {
      name: 'a low-level handler, where a throw is no answer',
      path: 'a.ts',
      text: lowTs(
        'try {\n  throw new Error("no");\n} catch (e) {\n  return { content: [{ type: "text", text: e.message }] };\n}',
      ),
    },
  ],
  [
    {
      name: 'an error made for the model',
      path: 'a.py',
      text: v1(
        'try:\n    if not x:\n        raise ToolError("no")\n    return go(x)\n«except Exception as e:»\n    return str(e)',
      ),
      message: 'text',
      confidence: 'high',
      fixed: v1(
        'try:\n    if not x:\n        raise ToolError("no")\n    return go(x)\nexcept ToolError:\n    raise\nexcept Exception as e:\n    return str(e)',
      ),
    },
    {
      name: 'any other, raised here',
      path: 'a.py',
      text: v1(
        'try:\n    if not x:\n        raise ValueError("no")\n    return go(x)\n«except:»\n    return {"error": "failed"}',
      ),
      message: 'text',
      confidence: 'medium',
      fixed: v1(
        'try:\n    if not x:\n        raise ValueError("no")\n    return go(x)\nexcept ValueError:\n    raise\nexcept:\n    return {"error": "failed"}',
      ),
    },
    {
      name: 'one of which nothing is left',
      path: 'a.py',
      text: v1('try:\n    if not x:\n        raise ToolError("no")\n    return go(x)\n«except Exception:»\n    pass'),
      message: 'nothing',
      confidence: 'high',
      fixed: v1(
        'try:\n    if not x:\n        raise ToolError("no")\n    return go(x)\nexcept ToolError:\n    raise\nexcept Exception:\n    pass',
      ),
    },
    {
      name: 'a class of its own',
      path: 'a.ts',
      text: ts(
        'try {\n  if (!x) throw new UserError("no");\n  return go(x);\n} «catch (e) {»\n  return { content: [{ type: "text", text: e.message }] };\n}',
      ),
      message: 'text',
      confidence: 'high',
      fixed: ts(
        'try {\n  if (!x) throw new UserError("no");\n  return go(x);\n} catch (e) {\n  if (e instanceof UserError) throw e;\n  return { content: [{ type: "text", text: e.message }] };\n}',
      ),
    },
    {
      name: 'an Error like any other',
      path: 'a.ts',
      text: ts(
        'try {\n  if (!x) throw new Error("no");\n  return go(x);\n} «catch (e) {»\n  return { content: [{ type: "text", text: e.message }] };\n}',
      ),
      message: 'text',
      confidence: 'medium',
    },
  ],
);
